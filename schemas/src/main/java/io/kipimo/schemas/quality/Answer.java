package io.kipimo.schemas.quality;

import java.util.List;

/**
 * The answer of a front end to one sampled query; topic {@code answers}.
 *
 * @param queryId a W3C trace id where tracing exists, else any text
 * @param queryClass priority class
 * @param startedAtMillis when the query reached the front end, epoch milliseconds
 * @param answeredAtMillis when the answer left, epoch milliseconds; the event time
 * @param deadlineMillis deadline in force, milliseconds after the start
 * @param topK how many items the user asked for; 0: the service's default
 * @param invocations every component that the query invoked, once each
 * @param items only where no merge function expresses the front end, else {@link Items#NONE}
 * @param truncated items were cut at the cap
 */
public record Answer(
        String service,
        String queryId,
        String queryClass,
        AnswerKind kind,
        long startedAtMillis,
        long answeredAtMillis,
        int deadlineMillis,
        int topK,
        List<Invocation> invocations,
        Items items,
        boolean truncated) {

    /**
     * Whether some component is missing from the answer; if not, its quality is 1 by construction.
     */
    public boolean isDegraded() {
        for (Invocation invocation : invocations) {
            if (invocation.outcome() != Outcome.IN_TIME) {
                return true;
            }
        }
        return false;
    }
}
