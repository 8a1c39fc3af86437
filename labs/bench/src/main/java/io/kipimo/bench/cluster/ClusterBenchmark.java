package io.kipimo.bench.cluster;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.LocalFlink;
import io.kipimo.bench.machine.LogRequests;
import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.machine.ThroughputComparison;
import io.kipimo.bench.quality.Checksum;
import io.kipimo.bench.quality.ProductSubject;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.SubjectComparison;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.RecordedWorkload;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.flink.StandaloneCluster;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;

/**
 * The quality job on a realistic cluster: JobManager and TaskManagers run in JVMs of their own and exchange events over
 * sockets. For comparison, the same job processes the same log in one JVM.
 */
public final class ClusterBenchmark implements Benchmark {
    /** Equals the greatest parallelism. */
    private static final int PARTITIONS = 4;

    private static final int SLOTS = 4;

    /** Total of all TaskManagers; also the heap of the single JVM. */
    private static final int HEAP_GIBIBYTES = 4;

    /** A cluster, and the parallelisms that use each of its TaskManagers. */
    private record ClusterShape(int taskManagers, List<Integer> parallelisms) {}

    @Override
    public Result run(Context context) throws Exception {
        int queries = context.choose(500, 100_000, 400_000);
        context.say("starting a broker");
        try (BrokerProcess broker = BrokerProcess.start()) {
            KafkaSettings kafka = broker.settings("cluster.");
            context.say("writing %,d queries", queries);
            RecordedWorkload recorded = WorkloadRecorder.record(
                    kafka, EventWorkload.usual(queries, System.currentTimeMillis()), PARTITIONS);
            Rows rows = new Rows(context, kafka, recorded);
            if (context.effort() != Context.BenchmarkEffort.TINY) {
                rows.addOneJvm();
                rows.add(new ClusterShape(1, List.of(1, 2, 4)));
            }
            rows.add(new ClusterShape(2, context.choose(List.of(4), List.of(2, 4), List.of(2, 4))));
            return new Result(
                    List.of(rows.table),
                    List.of(
                            recorded.describe(),
                            PARTITIONS
                                    + " partitions, "
                                    + SLOTS
                                    + " slots and "
                                    + HEAP_GIBIBYTES
                                    + " GiB of heap in all; state on "
                                    + context.backend().flinkName(),
                            "CPU of the TaskManagers' JVMs, including some tenths of a second for"
                                    + " setting up the job; the broker shares the cores"));
        }
    }

    /** The table, filled row by row. */
    private static final class Rows {
        private final Table table = new Table("Clusters, best and median repetition");
        private final Context context;
        private final KafkaSettings kafka;
        private final RecordedWorkload recorded;
        private final LogRequests requests;

        Rows(Context context, KafkaSettings kafka, RecordedWorkload recorded) {
            this.context = context;
            this.kafka = kafka;
            this.recorded = recorded;
            this.requests = LogRequests.of(context, kafka, recorded);
        }

        void addOneJvm() throws Exception {
            try (SubjectProcess side = SubjectProcess.start(ProductSubject.class, HEAP_GIBIBYTES)) {
                compare("one JVM", Map.of(LocalFlink.SLOTS, round -> side.run(requests.next())));
            }
        }

        void add(ClusterShape shape) throws Exception {
            String where = shape.taskManagers() + " TaskManager" + (shape.taskManagers() == 1 ? "" : "s");
            context.say("starting %s", where);
            try (StandaloneCluster cluster = FlinkCluster.forThroughput(
                            shape.taskManagers(),
                            SLOTS / shape.taskManagers(),
                            HEAP_GIBIBYTES * 1024 / shape.taskManagers());
                    Admin admin = Admin.create(kafka.forAdmin())) {
                ClusterRun job = new ClusterRun(cluster, admin);
                Map<Integer, SubjectComparison.RoundWork<SubjectRun>> byParallelism = new TreeMap<>();
                for (int parallelism : shape.parallelisms()) {
                    byParallelism.put(parallelism, round -> job.run(requests.next(), parallelism));
                }
                compare(where, byParallelism);
            }
        }

        private void compare(String where, Map<Integer, SubjectComparison.RoundWork<SubjectRun>> byParallelism)
                throws Exception {
            ThroughputComparison comparison = new ThroughputComparison(context, "events", context.choose(0, 2, 4));
            byParallelism.forEach((parallelism, work) ->
                    comparison.add(where + ", " + parallelism, work, Checksum.against(kafka, recorded)));
            comparison.run();
            for (int parallelism : byParallelism.keySet()) {
                String subject = where + ", " + parallelism;
                Object[] rates = comparison.rates(subject);
                table.row()
                        .cell("where", where)
                        .cell("parallelism", parallelism)
                        .cell("events/s best", rates[0])
                        .cell("events/s median", rates[1])
                        .cell("events/CPU-s best", rates[2])
                        .cell("events/CPU-s median", rates[3])
                        .cell("measurements", comparison.verdict(subject));
            }
        }
    }
}
