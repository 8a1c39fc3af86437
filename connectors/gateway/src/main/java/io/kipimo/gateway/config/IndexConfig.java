package io.kipimo.gateway.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says how an engine's API is asked for the settings of an index that queries ask. The gateway reads them once a
 * minute, independently of the queries.
 *
 * @param of path of a query; its groups are used in {@code read}
 * @param read path and query of the read, with {@code $1} for the first group of {@code of}
 * @param hidesWhen conditions of the API's answer; any of them says that the index hides results from every search,
 *     also from a replay
 * @param vectorTypes types of fields that are searched by vectors, whatever the query's clause
 * @param askedBy signs of requests that search a field as its type demands
 */
public record IndexConfig(
        Pattern of, String read, List<CutSign> hidesWhen, Set<String> vectorTypes, List<RequestSign> askedBy) {
    public IndexConfig {
        hidesWhen = List.copyOf(hidesWhen);
        vectorTypes = Set.copyOf(vectorTypes);
        askedBy = List.copyOf(askedBy);
    }

    /**
     * Path and query of the API for the index that a query asks.
     *
     * @param target path and query string of the query
     * @return empty: the query's path names no index
     */
    public Optional<String> readFor(String target) {
        int mark = target.indexOf('?');
        Matcher path = of.matcher(mark < 0 ? target : target.substring(0, mark));
        return path.matches() ? Optional.of(path.replaceFirst(read)) : Optional.empty();
    }
}
