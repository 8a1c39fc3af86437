package io.kipimo.bench.workload;

import java.util.Locale;

/**
 * A workload in its topics.
 *
 * @param events answers and partial results, run-out included
 * @param bytes of their values
 * @param measurements that must come out, one a query
 * @param qualitySum true sum of their qualities (the upper end of the interval, where a query
 *     expired)
 */
public record RecordedWorkload(
        EventWorkload workload,
        String topicPrefix,
        long events,
        long bytes,
        long measurements,
        double qualitySum) {

    public double eventsPerQuery() {
        return (double) events / measurements;
    }

    public String describe() {
        return String.format(
                Locale.ROOT,
                "%s: %,d events (%.2f a query) of %.0f bytes",
                workload.describe(),
                events,
                eventsPerQuery(),
                (double) bytes / events);
    }
}
