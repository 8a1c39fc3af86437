package io.kipimo.gateway.record;

import io.kipimo.gateway.config.RequestRule.Shows;
import java.util.List;

/**
 * Says what the answer to a request must have to be evidence.
 *
 * @param needs JSON pointers to values that this answer must have, beside those that every answer must have
 * @param shows what the answer shows of what was asked
 * @param index says what the index hides, or why that is not known; empty: it hides nothing
 * @param call path of the gRPC call whose message is the answer; empty: the answer is in JSON
 * @param isKnown false: the request cannot be read, so it may ask for anything
 */
public record Demand(List<String> needs, Shows shows, String index, String call, boolean isKnown) {
    /** No demand beyond what every answer must have. */
    public static final Demand NONE = new Demand(List.of(), Shows.ALL, "", "", true);

    public Demand {
        needs = List.copyOf(needs);
    }

    /** Why the answer does not show whether it is whole; null: it shows it. */
    String whyHidden() {
        if (!index.isEmpty()) {
            return index;
        }
        if (!isKnown) {
            return "its request cannot be read, which may hide the signs of a cut";
        }
        return switch (shows) {
            case NOTHING -> "its request hides the signs of a cut";
            case APPROXIMATE -> "it is of an approximate search: measure recall by replay.of-clean";
            case ALL, MORE, NO_LIST -> null;
        };
    }
}
