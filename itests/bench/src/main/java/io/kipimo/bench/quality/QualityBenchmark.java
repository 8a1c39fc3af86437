package io.kipimo.bench.quality;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.bench.streams.StreamsSubject;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.RecordedWorkload;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Kafka to join to Kafka on this machine: the product's own job, plain consumption of the same
 * records, and the same join by other means. Every side has a JVM of its own and is warm; they
 * alternate. Slow sides get a shorter log of the same shape.
 */
public final class QualityBenchmark implements Benchmark {
    @Override
    public String name() {
        return "quality";
    }

    @Override
    public String summary() {
        return "the quality job, Kafka to Kafka, against plain consumption and other ways to join";
    }

    @Override
    public Result run(Context context) throws Exception {
        int queries = context.choose(2_000, 150_000, 600_000);
        int shortQueries = context.choose(2_000, 40_000, 100_000);
        List<MeasuredSubject> all = new ArrayList<>();
        context.say("starting a broker");
        try (BrokerProcess broker = BrokerProcess.start()) {
            KafkaSettings longLog = broker.settings("long.");
            KafkaSettings shortLog = broker.settings("short.");
            long now = System.currentTimeMillis();
            context.say("writing %,d queries, then %,d", queries, shortQueries);
            RecordedWorkload recorded =
                    WorkloadRecorder.record(longLog, EventWorkload.usual(queries, now));
            RecordedWorkload part =
                    WorkloadRecorder.record(shortLog, EventWorkload.usual(shortQueries, now));
            Map<String, String> engine =
                    Map.of("state.backend.type", context.backend().flinkName());
            MeasuredSubject product =
                    new MeasuredSubject(
                            "kipimo " + context.backend().flinkName(),
                            true,
                            SubjectProcess.start(ProductSubject.class, 4),
                            engine,
                            longLog,
                            recorded);
            all.add(product);
            all.add(
                    new MeasuredSubject(
                            "plain consumption",
                            false,
                            SubjectProcess.start(ConsumerSubject.class, 1),
                            Map.of(),
                            longLog,
                            recorded));
            all.add(
                    new MeasuredSubject(
                            "flink interval join",
                            true,
                            SubjectProcess.start(IntervalJoinSubject.class, 4),
                            engine,
                            shortLog,
                            part));
            all.add(
                    new MeasuredSubject(
                            "kafka streams 4.3.1",
                            true,
                            SubjectProcess.startApart(StreamsSubject.class, 4),
                            Map.of(),
                            shortLog,
                            part));

            int repetition = 0;
            for (MeasuredSubject side : all) {
                // An engine keeps the optimizing compiler busy for a minute of both cores.
                for (int i = 0; i < context.choose(0, 2, 4); i++) {
                    report(context, side, "warm-up", side.run(repetition++));
                }
            }
            for (int i = 1; i <= context.repetitions(); i++) {
                for (MeasuredSubject side : all) {
                    report(context, side, "repetition " + i, side.compete(repetition++));
                }
            }
            return result(product, all, recorded, part);
        } finally {
            all.forEach(MeasuredSubject::close);
        }
    }

    private static void report(Context context, MeasuredSubject side, String what, SubjectRun run) {
        context.say(
                "%-22s %-12s %,11.0f events/s %,11.0f events/CPU-s",
                side.name(), what, run.eventsPerSecond(), run.eventsPerCpuSecond());
    }

    private static Result result(
            MeasuredSubject product,
            List<MeasuredSubject> all,
            RecordedWorkload recorded,
            RecordedWorkload part) {
        Table table =
                Table.of(
                        "Sides, best and median repetition",
                        "side",
                        "events",
                        "events/s best",
                        "events/s median",
                        "events/CPU-s best",
                        "events/CPU-s median",
                        "kipimo is times (s)",
                        "kipimo is times (CPU-s)",
                        "measurements");
        List<String> notes = new ArrayList<>();
        notes.add(recorded.describe());
        notes.add("short log, for the slow sides: " + part.describe());
        notes.add(
                "the peers that join attribute nothing, keep no windows and know no tombstones;"
                        + " plain consumption does nothing with what it reads");
        notes.add(
                "the interval join is an inner one: it never measures an answer that has no partial"
                        + " result at all; here hardly any");
        Repetitions kipimo = product.repetitions();
        for (MeasuredSubject side : all) {
            Repetitions took = side.repetitions();
            table.row(
                    side.name(),
                    took.events(),
                    took.best(SubjectRun::eventsPerSecond),
                    took.median(SubjectRun::eventsPerSecond),
                    took.best(SubjectRun::eventsPerCpuSecond),
                    took.median(SubjectRun::eventsPerCpuSecond),
                    kipimo.best(SubjectRun::eventsPerSecond)
                            / took.best(SubjectRun::eventsPerSecond),
                    kipimo.best(SubjectRun::eventsPerCpuSecond)
                            / took.best(SubjectRun::eventsPerCpuSecond),
                    !side.measures() ? null : side.agrees() ? "right" : "WRONG");
            if (!side.agrees()) {
                notes.add(side.name() + " measured something else: " + side.checksum());
            }
        }
        return new Result(List.of(table), notes);
    }
}
