package io.kipimo.bench.side;

import java.util.Map;

/**
 * The work that a side is asked to do.
 *
 * @param topicPrefix of the topics that hold the workload and take the results
 * @param repetition different in every request of a benchmark; for group and application ids
 * @param events answers and partial results in the topics
 * @param results number of results that a side without loss writes
 * @param settings of the engine; other sides ignore them
 */
public record SideRequest(
        String bootstrapServers,
        String topicPrefix,
        int repetition,
        long events,
        long results,
        Map<String, String> settings) {}
