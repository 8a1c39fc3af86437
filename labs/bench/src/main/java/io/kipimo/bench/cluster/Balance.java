package io.kipimo.bench.cluster;

import io.kipimo.bench.report.Table;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.QueryEvents;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.kafka.KafkaPartitions;
import io.kipimo.schemas.quality.QueryKey;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Computes how evenly events spread over subtasks, with the functions that place events in production. So it can cover
 * more subtasks than a machine has cores. The figure is the busiest subtask's share over the mean share. It bounds what
 * scaling out can bring.
 */
final class Balance {
    /** Share of all events that belong to the one hot query. */
    private static final double HOT_SHARE = 0.05;

    /** Number of events of a query in the first partition, as a multiple of those of other queries. */
    private static final int SKEW = 4;

    private static final int EVENTS_PER_QUERY = 5;

    private final QueryKey[] keys;

    /**
     * Makes a balance over a number of queries.
     *
     * @param queries number of queries; each has some events
     */
    Balance(int queries) {
        keys = new QueryKey[queries];
        Arrays.setAll(keys, i -> new QueryKey(EventWorkload.SERVICE, QueryEvents.queryId(1, i)));
    }

    Table table(List<Integer> subtasks, int partitions) {
        Table table = new Table("Events of the busiest subtask over the mean, " + partitions + " partitions");
        KafkaPartitions places = new KafkaPartitions(partitions);
        for (int parallelism : subtasks) {
            row(
                    table,
                    parallelism,
                    "LOCAL",
                    places,
                    key -> places.partitionOf(key),
                    p -> places.owner(p, parallelism, JobEnvironment.MAXIMUM_PARALLELISM));
            row(
                    table,
                    parallelism,
                    "KEYED",
                    places,
                    key -> KeyGroupRangeAssignment.assignKeyToParallelOperator(
                            key, JobEnvironment.MAXIMUM_PARALLELISM, parallelism),
                    subtask -> subtask);
        }
        return table;
    }

    private void row(
            Table table,
            int parallelism,
            String path,
            KafkaPartitions places,
            ToIntFunction<QueryKey> place,
            IntUnaryOperator subtask) {
        double[] even = new double[parallelism];
        double[] skewed = new double[parallelism];
        for (QueryKey key : keys) {
            int at = subtask.applyAsInt(place.applyAsInt(key));
            even[at] += EVENTS_PER_QUERY;
            skewed[at] += EVENTS_PER_QUERY * (places.partitionOf(key) == 0 ? SKEW : 1);
        }
        double[] hot = even.clone();
        hot[subtask.applyAsInt(place.applyAsInt(keys[0]))] +=
                HOT_SHARE / (1 - HOT_SHARE) * Arrays.stream(even).sum();
        table.row()
                .cell("subtasks", parallelism)
                .cell("join.path", path)
                .cell("even", busiest(even))
                .cell("a partition of four shares", busiest(skewed))
                .cell("a query of 5 % of all events", busiest(hot));
    }

    private static double busiest(double[] events) {
        return Arrays.stream(events).max().orElse(0)
                / Arrays.stream(events).average().orElse(1);
    }
}
