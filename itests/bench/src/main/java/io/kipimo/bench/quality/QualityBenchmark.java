package io.kipimo.bench.quality;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.SideProcess;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.side.SideRun;
import io.kipimo.bench.streams.StreamsSide;
import io.kipimo.bench.workload.Recorded;
import io.kipimo.bench.workload.Recorder;
import io.kipimo.bench.workload.Workload;
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
        List<Contender> all = new ArrayList<>();
        context.say("starting a broker");
        try (BrokerProcess broker = BrokerProcess.start()) {
            KafkaSettings longLog = broker.settings("long.");
            KafkaSettings shortLog = broker.settings("short.");
            long now = System.currentTimeMillis();
            context.say("writing %,d queries, then %,d", queries, shortQueries);
            Recorded recorded = Recorder.record(longLog, Workload.usual(queries, now));
            Recorded part = Recorder.record(shortLog, Workload.usual(shortQueries, now));
            Map<String, String> engine =
                    Map.of("state.backend.type", context.backend().flinkName());
            Contender product =
                    new Contender(
                            "kipimo " + context.backend().flinkName(),
                            true,
                            SideProcess.start(ProductSide.class, 4),
                            engine,
                            longLog,
                            recorded);
            all.add(product);
            all.add(
                    new Contender(
                            "plain consumption",
                            false,
                            SideProcess.start(ConsumerSide.class, 1),
                            Map.of(),
                            longLog,
                            recorded));
            all.add(
                    new Contender(
                            "flink interval join",
                            true,
                            SideProcess.start(IntervalJoinSide.class, 4),
                            engine,
                            shortLog,
                            part));
            all.add(
                    new Contender(
                            "kafka streams 4.3.1",
                            true,
                            SideProcess.startApart(StreamsSide.class, 4),
                            Map.of(),
                            shortLog,
                            part));

            int repetition = 0;
            for (Contender side : all) {
                // An engine keeps the optimizing compiler busy for a minute of both cores.
                for (int i = 0; i < context.choose(0, 2, 4); i++) {
                    say(context, side, "warm-up", side.run(repetition++));
                }
            }
            for (int i = 1; i <= context.repetitions(); i++) {
                for (Contender side : all) {
                    say(context, side, "repetition " + i, side.compete(repetition++));
                }
            }
            return result(product, all, recorded, part);
        } finally {
            all.forEach(Contender::close);
        }
    }

    private static void say(Context context, Contender side, String what, SideRun run) {
        context.say(
                "%-22s %-12s %,11.0f events/s %,11.0f events/CPU-s",
                side.name(), what, run.eventsPerSecond(), run.eventsPerCpuSecond());
    }

    private static Result result(
            Contender product, List<Contender> all, Recorded recorded, Recorded part) {
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
        for (Contender side : all) {
            Repetitions took = side.repetitions();
            table.row(
                    side.name(),
                    took.events(),
                    took.best(SideRun::eventsPerSecond),
                    took.median(SideRun::eventsPerSecond),
                    took.best(SideRun::eventsPerCpuSecond),
                    took.median(SideRun::eventsPerCpuSecond),
                    kipimo.best(SideRun::eventsPerSecond) / took.best(SideRun::eventsPerSecond),
                    kipimo.best(SideRun::eventsPerCpuSecond)
                            / took.best(SideRun::eventsPerCpuSecond),
                    !side.measures() ? null : side.agrees() ? "right" : "WRONG");
            if (!side.agrees()) {
                notes.add(side.name() + " measured something else: " + side.checksum());
            }
        }
        return new Result(List.of(table), notes);
    }
}
