package io.kipimo.bench.workload;

import io.kipimo.simulator.report.Phrase;

/**
 * A workload that was written to its topics.
 *
 * @param events number of answers and partial results, including the run-out
 * @param bytes total size of their values
 * @param measurements expected measurements, one for each query
 * @param qualitySum true sum of their qualities; for expired queries the upper end of the interval
 */
public record RecordedWorkload(
        EventWorkload workload, String topicPrefix, long events, long bytes, long measurements, double qualitySum) {

    public double eventsPerQuery() {
        return (double) events / measurements;
    }

    public String describe() {
        return Phrase.of(
                "%s: %,d events (%.2f a query) of %.0f bytes",
                workload.describe(), events, eventsPerQuery(), (double) bytes / events);
    }
}
