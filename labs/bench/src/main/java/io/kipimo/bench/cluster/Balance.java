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
 * How evenly events spread over subtasks, computed by the functions that place them, on more subtasks than a machine
 * has. The figure is the busiest subtask's share over the mean. It bounds what scaling out can bring.
 */
final class Balance {
    /** Of all events, those of the hot query. */
    private static final double HOT_SHARE = 0.05;

    /** Events of the first partition's queries, as a multiple of others'. */
    private static final int SKEW = 4;

    private static final int EVENTS_PER_QUERY = 5;

    private final QueryKey[] keys;

    /** @param queries of which each has some events */
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
