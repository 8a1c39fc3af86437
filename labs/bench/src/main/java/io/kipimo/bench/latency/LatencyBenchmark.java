package io.kipimo.bench.latency;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.JobProcess;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.embedded.process.Await;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Measures the latency from handing a query's last result to the producer until a consumer gets its measurement. The
 * path passes the broker twice, with the job between, at a steady rate in real time and with at-least-once delivery.
 * Expired queries are not counted, since they wait by design.
 */
public final class LatencyBenchmark implements Benchmark {
    /** Rate of queries, at which about 20,000 events a second are produced. */
    private static final int QUERIES_PER_SECOND = 4_125;

    /** Time from the job's first measurement to the first query. */
    private static final int LEAD_SECONDS = 1;

    private static final long QUIET_MILLIS = 3_000;

    @Override
    public Result run(Context context) throws Exception {
        Table table = new Table("Latency, milliseconds");
        try (BrokerProcess broker = BrokerProcess.start()) {
            run(context, broker.settings("keyed."), JoinPath.KEYED, table);
            if (context.backend() == Context.StateBackend.HASHMAP) {
                run(context, broker.settings("local."), JoinPath.LOCAL, table);
            }
        }
        return new Result(
                List.of(table),
                List.of(
                        EventWorkload.usual(1, 0).withRate(QUERIES_PER_SECOND).describeShape()
                                + "; at-least-once, parallelism 2; broker, job, and the producer with"
                                + " the consumer in a JVM each",
                        "a late event counts from the time when the producer sent it; producer lag is the delay"));
    }

    private static void run(Context context, KafkaSettings kafka, JoinPath path, Table table) throws Exception {
        // A new job occupies the JIT compiler, on both cores, for a minute.
        int warmUpSeconds = context.choose(4, 10, 90);
        int seconds = context.choose(3, 10, 40);
        WorkloadRecorder.prepare(kafka);
        context.say("%s: %d s warm-up, %d s measured", path, warmUpSeconds, seconds);
        int queries = (warmUpSeconds + seconds) * QUERIES_PER_SECOND;
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (JobProcess job = new JobProcess(
                QualityJob.NAME, kafka, context.backend().flinkName(), Map.of(JoinOptions.PATH.key(), path.name()))) {
            FirstMeasurementProbe.awaitMeasured(kafka, job);
            long startNanos = System.nanoTime() + LEAD_SECONDS * 1_000_000_000L;
            EventWorkload workload = EventWorkload.usual(queries, 0)
                    .withRate(QUERIES_PER_SECOND)
                    .startingAt(System.currentTimeMillis() + LEAD_SECONDS * 1000L);
            LiveTraffic traffic = new LiveTraffic(kafka, workload);
            MeasurementWatch watch = new MeasurementWatch(kafka, traffic, warmUpSeconds * QUERIES_PER_SECOND);
            Future<Histogram> latencies = threads.submit(watch);
            watch.awaitStart();
            traffic.send(startNanos);
            job.requireAlive();
            // Only expired queries arrive after a pause, and those are not counted.
            Await.quiet(watch::seen, QUIET_MILLIS);
            watch.end();
            Histogram micros = latencies.get();
            if (micros.getTotalCount() == 0) {
                throw new IllegalStateException("no measurement was seen, of " + queries + " queries");
            }
            table.row()
                    .cell("join.path", path.name())
                    .cell("measurements", micros.getTotalCount())
                    .cell("p50", millis(micros, 50))
                    .cell("p90", millis(micros, 90))
                    .cell("p99", millis(micros, 99))
                    .cell("p99.9", millis(micros, 99.9))
                    .cell("max", millis(micros, 100))
                    .cell("producer lag p99", millis(traffic.lagMicros(), 99))
                    .cell("producer lag max", millis(traffic.lagMicros(), 100));
            context.say(
                    "p50 %s ms, p99 %s ms",
                    Phrase.of("%.1f", millis(micros, 50)), Phrase.of("%.1f", millis(micros, 99)));
        } finally {
            threads.shutdownNow();
        }
    }

    private static double millis(Histogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / 1000.0;
    }
}
