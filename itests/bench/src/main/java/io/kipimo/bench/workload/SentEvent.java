package io.kipimo.bench.workload;

import io.kipimo.schemas.quality.QueryEvent;

/**
 * An event of a workload.
 *
 * @param query its number, 0 first; negative for the run-out
 * @param micros event time after the start of the workload, microseconds
 * @param partition where it must go; negative: by its key
 */
public record SentEvent(int query, long micros, int partition, QueryEvent event) {}
