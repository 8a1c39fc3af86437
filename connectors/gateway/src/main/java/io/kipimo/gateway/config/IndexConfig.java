package io.kipimo.gateway.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an engine's API tells of the index that a query asks. It is read beside the queries, once a minute.
 *
 * @param of path of a query; its groups are used in {@code read}
 * @param read path and query of the read, with {@code $1} for the first group of {@code of}
 * @param hidesWhen conditions of what is read, any of which says that the index hides results from every search, also
 *     from a replay
 * @param vectorTypes types of fields that are searched by vectors, whatever the query's clause
 * @param askedBy requests that ask fields by their types
 */
public record IndexConfig(
        Pattern of, String read, List<CutSign> hidesWhen, Set<String> vectorTypes, List<RequestSign> askedBy) {
    public IndexConfig {
        hidesWhen = List.copyOf(hidesWhen);
        vectorTypes = Set.copyOf(vectorTypes);
        askedBy = List.copyOf(askedBy);
    }

    /**
     * What is read for a query.
     *
     * @param target of the query, path and query string
     * @return empty: its path names no index
     */
    public Optional<String> readFor(String target) {
        int mark = target.indexOf('?');
        Matcher path = of.matcher(mark < 0 ? target : target.substring(0, mark));
        return path.matches() ? Optional.of(path.replaceFirst(read)) : Optional.empty();
    }
}
