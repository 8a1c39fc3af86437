package io.kipimo.examples.search.index;

import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;

/**
 * Lucene's own query language: words, {@code "phrases"}, {@code word~2} with up to two edits, and wildcards, which may
 * be leading. Not thread-safe.
 *
 * <p>A fuzzy word or a wildcard expands to its best 50 terms, each scored as a term. With constant scores there would
 * be ties, and the cut among ties is arbitrary. Every partition expands to its own terms, as in every sharded search
 * engine.
 */
public final class QueryLanguage {
    private static final int EXPANSIONS = 50;

    private final QueryParser parser;

    public QueryLanguage() {
        MultiTermQuery.RewriteMethod scoring = new MultiTermQuery.TopTermsScoringBooleanQueryRewrite(EXPANSIONS);
        parser = new QueryParser(PartitionedIndex.TEXT, PartitionedIndex.analyzer()) {
            @Override
            protected Query newFuzzyQuery(org.apache.lucene.index.Term term, float edits, int prefixLength) {
                return new FuzzyQuery(term, (int) edits, prefixLength, EXPANSIONS, true, scoring);
            }
        };
        parser.setAllowLeadingWildcard(true);
        parser.setMultiTermRewriteMethod(scoring);
    }

    /**
     * Parses {@code text}.
     *
     * @throws IllegalArgumentException if {@code text} is not in the language
     */
    public Query parse(String text) {
        try {
            return parser.parse(text);
        } catch (ParseException e) {
            throw new IllegalArgumentException("query '" + text + "' cannot be read", e);
        }
    }
}
