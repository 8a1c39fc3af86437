package io.kipimo.schemas.quality;

/**
 * One component's result for one sampled query; topic {@code partials}.
 *
 * @param server which instance answered; informative, may be empty
 * @param completedAtMillis when the result was complete, epoch milliseconds; the event time
 * @param latencyMicros from the invocation to the result, microseconds
 * @param truncated items were cut at the cap
 * @param startedAtMillis when the query reached the front end, as its answer says, epoch
 *     milliseconds; 0: not known
 */
public record PartialResult(
        String service,
        String queryId,
        String component,
        String server,
        Phase phase,
        long completedAtMillis,
        long latencyMicros,
        Items items,
        boolean truncated,
        long startedAtMillis) {

    /** A result that does not know when its query started. */
    public PartialResult(
            String service,
            String queryId,
            String component,
            String server,
            Phase phase,
            long completedAtMillis,
            long latencyMicros,
            Items items,
            boolean truncated) {
        this(
                service,
                queryId,
                component,
                server,
                phase,
                completedAtMillis,
                latencyMicros,
                items,
                truncated,
                0);
    }

    /** When the component was invoked, epoch milliseconds. */
    public long invokedAtMillis() {
        return completedAtMillis - latencyMicros / 1000;
    }
}
