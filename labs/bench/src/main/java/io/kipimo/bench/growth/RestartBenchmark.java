package io.kipimo.bench.growth;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.LogRequests;
import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.RecordedWorkload;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.execution.SavepointFormatType;

/** Measures the time and memory that a restart of the local join takes, by open queries and parallelism. */
public final class RestartBenchmark implements Benchmark {
    /** A number of open queries, and the size in gibibytes of a heap that hardly holds more than they need. */
    private record RestartSize(int queries, int heapGibibytes) {}

    @Override
    public Result run(Context context) throws Exception {
        Table table = new Table("Restart, join.path LOCAL");
        try (BrokerProcess broker = BrokerProcess.start()) {
            for (RestartSize size : context.choose(
                    List.of(new RestartSize(2_000, 1)),
                    List.of(new RestartSize(200_000, 1)),
                    List.of(
                            new RestartSize(200_000, 1),
                            new RestartSize(1_000_000, 5),
                            new RestartSize(4_000_000, 18)))) {
                run(context, broker, size, table);
            }
        }
        return new Result(
                List.of(table),
                List.of(
                        "each query waits for late ones of its 4 components and has 20 items a result; "
                                + RestartSubject.PARTITIONS
                                + " partitions; one TaskManager in the JobManager's JVM",
                        "peak: most that was left after a collection; both without the heap of an idle Flink"));
    }

    private static void run(Context context, BrokerProcess broker, RestartSize size, Table table) throws Exception {
        KafkaSettings kafka = broker.settings("restart-" + size.queries + ".");
        // With four components and a quarter of them late, 68 of 100 queries wait.
        EventWorkload workload = EventWorkload.usual((int) (size.queries / (1 - Math.pow(0.75, 4))), 0)
                .withShares(0.25, 0, 1)
                .endingBefore(System.currentTimeMillis());
        RecordedWorkload recorded = WorkloadRecorder.recordOpen(kafka, workload, RestartSubject.PARTITIONS);
        try (SubjectProcess side = SubjectProcess.start(RestartSubject.class, size.heapGibibytes)) {
            SubjectRun run = side.run(LogRequests.of(context, kafka, recorded).next());
            for (SavepointFormatType format : SavepointFormatType.values()) {
                for (int parallelism : RestartSubject.PARALLELISMS) {
                    row(context, table, recorded.measurements(), format, parallelism, run.details());
                }
            }
        }
    }

    private static void row(
            Context context,
            Table table,
            long queries,
            SavepointFormatType format,
            int parallelism,
            Map<String, Double> details) {
        String prefix = RestartSubject.key(format, parallelism, "");
        double peak = details.get(prefix + RestartSubject.PEAK_BYTES);
        double live = details.get(prefix + RestartSubject.LIVE_BYTES);
        table.row()
                .cell("open queries", queries)
                .cell("savepoint", format)
                .cell("parallelism", parallelism)
                .cell("s to running", details.get(prefix + RestartSubject.RUNNING_MILLIS) / 1e3)
                .cell("s to first row", details.get(prefix + RestartSubject.ROW_MILLIS) / 1e3)
                .cell("processor s", details.get(prefix + RestartSubject.CPU_MILLIS) / 1e3)
                .cell("collector s", details.get(prefix + RestartSubject.COLLECTOR_MILLIS) / 1e3)
                .cell(
                        "read calls",
                        details.get(prefix + RestartSubject.READ_CALLS).longValue())
                .cell("MB read", details.get(prefix + RestartSubject.READ_BYTES) / 1e6)
                .cell("peak MB", peak / 1e6)
                .cell("live MB", live / 1e6)
                .cell("peak / live", peak / live);
        // A run with millions may be broken off.
        context.say(
                "%,d open queries, %s, parallelism %d: %.1f s, %.1f processor s, peak %.0f of %.0f MB",
                queries,
                format,
                parallelism,
                details.get(prefix + RestartSubject.ROW_MILLIS) / 1e3,
                details.get(prefix + RestartSubject.CPU_MILLIS) / 1e3,
                peak / 1e6,
                live / 1e6);
    }
}
