package io.kipimo.schemas.quality;

/**
 * One component's result for one sampled query; topic {@code partials}.
 *
 * @param server which instance answered; informative, may be empty
 * @param completedAtMillis when the result was complete, epoch milliseconds; the event time
 * @param latencyMicros from the invocation to the result, microseconds
 * @param truncated items were cut at the cap
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
        boolean truncated) {

    /**
     * When the component was invoked, epoch milliseconds: what a partial result knows of the
     * query's start.
     */
    public long invokedAtMillis() {
        return completedAtMillis - latencyMicros / 1000;
    }
}
