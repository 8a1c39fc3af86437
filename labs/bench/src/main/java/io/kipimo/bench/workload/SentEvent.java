package io.kipimo.bench.workload;

import io.kipimo.schemas.quality.QueryEvent;

/**
 * An event of a workload.
 *
 * @param query number of its query, from 0; negative for the run-out
 * @param micros event time after the start of the workload, microseconds
 * @param partition target partition; negative: by its key
 */
public record SentEvent(int query, long micros, int partition, QueryEvent event) {}
