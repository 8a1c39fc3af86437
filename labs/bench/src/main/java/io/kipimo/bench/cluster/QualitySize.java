package io.kipimo.bench.cluster;

import io.kipimo.bench.workload.EventWorkload;

/**
 * Resources that the quality job needs with {@code join.path: LOCAL}, by the rules of docs/operations.md, section Size.
 *
 * @param eventsPerSecond answers and partial results
 * @param cores busy cores of warm TaskManagers; plan with three times as many
 * @param inBytesPerSecond from brokers to the job
 * @param stateBytes in a checkpoint, if all queries stay open until their window ends
 */
record QualitySize(double eventsPerSecond, double cores, double inBytesPerSecond, double stateBytes) {
    /**
     * Cores that a TaskManager needs at any load, because it fetches, flushes and checkpoints a few records at a time.
     */
    private static final double TASK_MANAGER_CORES = 0.3;

    /**
     * Processor microseconds of each event; the next two are those of each invocation of an answer and of each item.
     */
    private static final double EVENT_MICROS = 8;

    private static final double INVOCATION_MICROS = 0.5;
    private static final double ITEM_MICROS = 0.1;

    /**
     * Bytes of each event with what Kafka stores beside it; the next two are those of each invocation and of each item.
     */
    private static final double EVENT_BYTES = 105;

    private static final double INVOCATION_BYTES = 17;
    private static final double ITEM_BYTES = 12;

    /** Time that a query may stay open after its window, seconds. */
    private static final double LATE_SECONDS = 10;

    /**
     * Computes the size for a load.
     *
     * @param taskManagers that run the job
     * @param queriesPerSecond sampled queries
     * @param windowSeconds expiration window of the policy
     */
    static QualitySize of(int taskManagers, double queriesPerSecond, int components, int items, double windowSeconds) {
        double events = queriesPerSecond * (1 + components);
        double invocations = queriesPerSecond * components;
        double allItems = invocations * items;
        return new QualitySize(
                events,
                TASK_MANAGER_CORES * taskManagers
                        + (EVENT_MICROS * events + INVOCATION_MICROS * invocations + ITEM_MICROS * allItems) / 1e6,
                EVENT_BYTES * events + INVOCATION_BYTES * invocations + ITEM_BYTES * allItems,
                queriesPerSecond
                        * (windowSeconds + LATE_SECONDS)
                        * (EVENT_BYTES + components * (INVOCATION_BYTES + items * ITEM_BYTES)));
    }

    static QualitySize of(int taskManagers, EventWorkload workload, double windowSeconds) {
        return of(taskManagers, workload.queriesPerSecond(), workload.components(), workload.items(), windowSeconds);
    }
}
