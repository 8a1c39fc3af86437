package io.kipimo.gateway.config;

import java.util.List;

/**
 * Says what the answer to certain requests shows, and what it must have.
 *
 * @param when signs of a request; the rule applies if the request has all of them
 * @param needs JSON pointers to values that the answer must have
 * @param shows what the answer shows of what was asked
 */
public record RequestRule(List<RequestSign> when, List<String> needs, Shows shows) {
    /** What an answer shows of what was asked, from most to least. If several rules apply, the last constant counts. */
    public enum Shows {
        /** A list of items, and whether it is whole. */
        ALL,
        /**
         * A list of items and more, such as counts or aggregations. Two empty lists do not mean that these are equal.
         */
        MORE,
        /** No list of items. */
        NO_LIST,
        /** The result of an approximate search. The answer never says what it missed. */
        APPROXIMATE,
        /** Nothing that tells whether something is missing. */
        NOTHING
    }

    public RequestRule {
        when = List.copyOf(when);
        needs = List.copyOf(needs);
    }
}
