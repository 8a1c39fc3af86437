package io.kipimo.bench.cluster;

import io.kipimo.bench.latency.LiveTraffic;
import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.LogRequests;
import io.kipimo.bench.peer.PeerQuery;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.EventWorkloadBuilder;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.flink.StandaloneCluster;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;

/**
 * Measures the cost of spreading a job. The same load, far below saturation, runs on 1 to 8 TaskManagers with one slot
 * each, with and without a shuffle. A machine of few cores can show only two costs of scaling out: processor time an
 * event and bytes on the wire. Other loads show whether {@link QualitySize} predicts their processor time.
 */
public final class ScaleBenchmark implements Benchmark {
    /** Partitions of each topic, which is also the greatest number of TaskManagers. */
    private static final int PARTITIONS = 8;

    private static final int HEAP_MEBIBYTES = 4_096;

    private static final int QUERIES_PER_SECOND = 2_000;

    private static final int LEAD_SECONDS = 1;

    @Override
    public Result run(Context context) throws Exception {
        Table table = new Table("A fixed load");
        EventWorkload usual = EventWorkload.usual(0, 0).withRate(QUERIES_PER_SECOND);
        try (BrokerProcess broker = BrokerProcess.start()) {
            for (int taskManagers : context.choose(List.of(2), List.of(1, 4), List.of(1, 2, 4, 8))) {
                try (StandaloneCluster cluster =
                        FlinkCluster.forThroughput(taskManagers, 1, HEAP_MEBIBYTES / taskManagers)) {
                    for (JoinPath path : List.of(JoinPath.LOCAL, JoinPath.KEYED)) {
                        row(context, broker, cluster, taskManagers, path, usual, table);
                    }
                    if (taskManagers == 1) {
                        row(
                                context,
                                broker,
                                cluster,
                                1,
                                JoinPath.LOCAL,
                                usual.withComponents(40).withRate(250),
                                table);
                        row(
                                context,
                                broker,
                                cluster,
                                1,
                                JoinPath.LOCAL,
                                usual.withItems(100).withRate(1_000),
                                table);
                    }
                }
            }
        }
        Balance balance = new Balance(context.choose(1_000, 1_000_000, 1_000_000));
        return new Result(
                List.of(
                        table,
                        balance.table(List.of(2, 8, 32, 64, 128), 128),
                        balance.table(List.of(2, 8, 32, 128), 256)),
                List.of(
                        usual.describeShape() + ", if no other is named",
                        PARTITIONS + " partitions, a slot a TaskManager, 4 GiB of heap in all; checkpoints every 10 s",
                        "foreseen: by the rules of docs/operations.md, section Size"));
    }

    private static void row(
            Context context,
            BrokerProcess broker,
            StandaloneCluster cluster,
            int taskManagers,
            JoinPath path,
            EventWorkload shape,
            Table table)
            throws Exception {
        int warmUp = context.choose(3, 20, 60);
        int seconds = context.choose(2, 10, 20);
        String name = taskManagers + "-" + path + "-" + shape.components() + "-" + shape.items();
        context.say("%s: %d s warm-up, %d s measured", name, warmUp, seconds);
        KafkaSettings kafka = broker.settings("scale-" + name.toLowerCase(Locale.ROOT) + ".");
        WorkloadRecorder.prepare(kafka, PARTITIONS);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (Admin admin = Admin.create(kafka.forAdmin());
                ClusterRun.Live job = new ClusterRun(cluster, admin)
                        .live(LogRequests.of(context, kafka, 0, 0).next(), path, taskManagers)) {
            // Some seconds more, so that the load goes on while it is measured.
            EventWorkload workload = EventWorkloadBuilder.builder(shape)
                    .queries((warmUp + seconds + 3) * shape.queriesPerSecond())
                    .build()
                    .startingAt(System.currentTimeMillis() + LEAD_SECONDS * 1_000L);
            LiveTraffic traffic = new LiveTraffic(kafka, workload);
            long start = System.nanoTime() + LEAD_SECONDS * 1_000_000_000L;
            Future<?> sent = threads.submit(() -> {
                traffic.send(start);
                return null;
            });
            Thread.sleep((warmUp + LEAD_SECONDS) * 1_000L);
            ClusterRun.Counts before = job.counts();
            Thread.sleep(seconds * 1_000L);
            ClusterRun.Counts after = job.counts();
            sent.get();
            QualitySize size = QualitySize.of(taskManagers, shape, PeerQuery.WINDOW_MILLIS / 1e3);
            double took = (after.nanos() - before.nanos()) / 1e9;
            double events = after.events() - before.events();
            double compiler = after.compilerMicros() - before.compilerMicros();
            double cpu = after.cpuMicros() - before.cpuMicros() - compiler;
            table.row()
                    .cell("TaskManagers", taskManagers)
                    .cell("join.path", path.name())
                    .cell("queries/s", shape.queriesPerSecond())
                    .cell("components", shape.components())
                    .cell("items", shape.items())
                    .cell("events/s", events / took)
                    .cell("us of TaskManagers/event", cpu / events)
                    .cell("cores", cpu / 1e6 / took)
                    .cell("cores of the compiler", compiler / 1e6 / took)
                    .cell("cores foreseen", size.cores())
                    .cell("bytes between TaskManagers/event", (after.remoteBytes() - before.remoteBytes()) / events)
                    .cell("measurements/s", (after.measurements() - before.measurements()) / took);
        } finally {
            threads.shutdownNow();
        }
    }
}
