package io.kipimo.bench.tails;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.machine.TopicDrain;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Observations of ten thousand servers to windows of all levels, Kafka to Kafka: the product's own
 * job, and the same statistics with Flink's own windows. What is asked for is ten thousand
 * observations a second. Every side has a JVM of its own and is warm; they alternate.
 */
public final class TailsBenchmark implements Benchmark {
    @Override
    public String name() {
        return "tails";
    }

    @Override
    public String summary() {
        return "the tails job on observations of 10,000 servers, against Flink's own windows";
    }

    @Override
    public Result run(Context context) throws Exception {
        Fleet fleet =
                Fleet.of(
                        context.choose(200, 10_000, 10_000),
                        context.choose(60, 60, 120),
                        System.currentTimeMillis());
        List<Contender> all = new ArrayList<>();
        context.say("starting a broker");
        try (BrokerProcess broker = BrokerProcess.start()) {
            KafkaSettings kafka = broker.settings("fleet.");
            context.say("writing %,d observations", fleet.observations());
            double bytes = fleet.record(kafka);
            Map<String, String> settings =
                    Map.of("state.backend.type", context.backend().flinkName());
            Contender product =
                    new Contender(
                            "kipimo " + context.backend().flinkName(),
                            SubjectProcess.start(TailsSubject.class, 4),
                            settings);
            all.add(product);
            all.add(
                    new Contender(
                            "flink's own windows",
                            SubjectProcess.start(PlainWindowsSubject.class, 8),
                            settings));
            int repetition = 0;
            for (int i = -context.choose(0, 1, 1); i < context.repetitions(); i++) {
                for (Contender side : all) {
                    SubjectRun run = side.run(kafka, fleet, repetition++, i >= 0);
                    context.say(
                            "%-22s %-12s %,11.0f observations/s %,11.0f observations/CPU-s",
                            side.name,
                            i < 0 ? "warm-up" : "repetition " + (i + 1),
                            run.eventsPerSecond(),
                            run.eventsPerCpuSecond());
                }
            }
            return result(fleet, bytes, product, all);
        } finally {
            all.forEach(side -> side.process.close());
        }
    }

    private static Result result(
            Fleet fleet, double bytes, Contender product, List<Contender> all) {
        Table table =
                Table.of(
                        "Sides, best and median repetition",
                        "side",
                        "observations",
                        "observations/s best",
                        "observations/s median",
                        "observations/CPU-s best",
                        "observations/CPU-s median",
                        "kipimo is times (s)",
                        "kipimo is times (CPU-s)",
                        "windows");
        for (Contender side : all) {
            table.row(
                    side.name,
                    fleet.observations(),
                    side.repetitions.best(SubjectRun::eventsPerSecond),
                    side.repetitions.median(SubjectRun::eventsPerSecond),
                    side.repetitions.best(SubjectRun::eventsPerCpuSecond),
                    side.repetitions.median(SubjectRun::eventsPerCpuSecond),
                    product.repetitions.best(SubjectRun::eventsPerSecond)
                            / side.repetitions.best(SubjectRun::eventsPerSecond),
                    product.repetitions.best(SubjectRun::eventsPerCpuSecond)
                            / side.repetitions.best(SubjectRun::eventsPerCpuSecond),
                    side.agrees ? "right" : "WRONG");
        }
        return new Result(
                List.of(table),
                List.of(
                        fleet.describe(),
                        String.format(
                                Locale.ROOT,
                                "%.0f bytes an observation; %,d windows of %,d scopes",
                                bytes,
                                fleet.windows(),
                                fleet.scopes()),
                        "Flink's own windows count a second that comes twice twice, and know no"
                                + " policies; else they give the same figures"));
    }

    /** A side, its process and what its repetitions took. */
    private static final class Contender {
        private final String name;
        private final SubjectProcess process;
        private final Map<String, String> settings;
        private final Repetitions repetitions = new Repetitions();
        private boolean agrees = true;

        Contender(String name, SubjectProcess process, Map<String, String> settings) {
            this.name = name;
            this.process = process;
            this.settings = settings;
        }

        SubjectRun run(KafkaSettings kafka, Fleet fleet, int repetition, boolean counts)
                throws Exception {
            SubjectRun run =
                    process.run(
                            new SideRequest(
                                    kafka.bootstrapServers(),
                                    kafka.topicPrefix(),
                                    repetition,
                                    fleet.observations(),
                                    fleet.windows(),
                                    settings));
            agrees &= isRight(kafka, fleet);
            if (counts) {
                repetitions.add(run);
            }
            return run;
        }
    }

    /** Whether every window is there with its requests; empties the topic. */
    private static boolean isRight(KafkaSettings kafka, Fleet fleet) throws Exception {
        Set<String> windows = new HashSet<>();
        LongAdder completions = new LongAdder();
        TopicDrain.drain(
                kafka,
                Topic.TAILS,
                Codecs.TAIL_WINDOW,
                window -> {
                    if (window.endMillis() <= fleet.endMillis()
                            && windows.add(
                                    window.level()
                                            + window.scope()
                                            + window.kind()
                                            + window.endMillis())) {
                        completions.add(window.counts().completions());
                    }
                });
        return windows.size() == fleet.windows() && completions.sum() == fleet.completions();
    }
}
