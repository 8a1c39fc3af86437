package io.kipimo.examples.search.index;

import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermStatistics;

/** One part of the index, searched by one component. Safe for several threads. */
public final class Partition {
    private final String name;
    private final DirectoryReader reader;
    private final CorpusStatistics statistics;

    Partition(String name, DirectoryReader reader, CorpusStatistics statistics) {
        this.name = name;
        this.reader = reader;
        this.statistics = statistics;
    }

    public String name() {
        return name;
    }

    public int documents() {
        return reader.numDocs();
    }

    /**
     * Finds the best {@code k} documents; finds none if the search was cut.
     *
     * @param cut polled during the search; the search stops when it is due
     */
    public PartitionSearch search(Query query, int k, Cut cut) throws IOException {
        IndexSearcher searcher = new WholeCorpusSearcher(reader, statistics);
        searcher.setTimeout(cut::isDue);
        ScoreDoc[] found = searcher.search(query, k).scoreDocs;
        if (searcher.timedOut()) {
            return PartitionSearch.CUT;
        }
        long[] ids = new long[found.length];
        float[] scores = new float[found.length];
        for (int i = 0; i < found.length; i++) {
            ids[i] = id(found[i].doc);
            scores[i] = found[i].score;
        }
        return new PartitionSearch(true, new Hits(ids, scores));
    }

    /** The id of a document. It is read from the first segment, since every partition has one segment. */
    private long id(int document) throws IOException {
        NumericDocValues ids = reader.leaves().get(0).reader().getNumericDocValues(PartitionedIndex.ID);
        if (!ids.advanceExact(document)) {
            throw new IOException("document " + document + " of " + name + " has no id");
        }
        return ids.longValue();
    }

    /** Condition that stops a running search. */
    public interface Cut {
        Cut NEVER = () -> false;

        boolean isDue();
    }

    /**
     * Result of a search.
     *
     * @param complete false: the search was cut, without hits
     */
    public record PartitionSearch(boolean complete, Hits hits) {
        static final PartitionSearch CUT = new PartitionSearch(false, Hits.NONE);
    }

    /** A searcher that scores with the statistics of the whole corpus. */
    private static final class WholeCorpusSearcher extends IndexSearcher {
        private final CorpusStatistics statistics;

        WholeCorpusSearcher(DirectoryReader reader, CorpusStatistics statistics) {
            super(reader);
            this.statistics = statistics;
            // A cache would make repeated queries cheap and hide the effect of load.
            setQueryCache(null);
        }

        @Override
        public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq) {
            return statistics.of(term.bytes());
        }

        @Override
        public CollectionStatistics collectionStatistics(String field) {
            return statistics.collection();
        }
    }
}
