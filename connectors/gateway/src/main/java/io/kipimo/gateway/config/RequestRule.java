package io.kipimo.gateway.config;

import java.util.List;

/**
 * What an answer can show, and must, if its request has something.
 *
 * @param when all of these hold
 * @param needs JSON pointers to values that the answer must have
 * @param shows what the answer shows of what was asked
 */
public record RequestRule(List<RequestSign> when, List<String> needs, Shows shows) {
    /** What an answer shows of what was asked; the later one is the graver. */
    public enum Shows {
        /** A list of items, and whether it is whole. */
        ALL,
        /** More than the list: counts, aggregations. Two empty lists say nothing of those. */
        MORE,
        /** No list of items. */
        NO_LIST,
        /** An approximate search: the answer never says what it missed. */
        APPROXIMATE,
        /** Not whether something is missing. */
        NOTHING
    }

    public RequestRule {
        when = List.copyOf(when);
        needs = List.copyOf(needs);
    }
}
