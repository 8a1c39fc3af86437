package io.kipimo.bench.tails;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.LogRequests;
import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.machine.ThroughputComparison;
import io.kipimo.bench.machine.TopicDrain;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Observations of ten thousand servers to windows of all levels, Kafka to Kafka: the product's own job, and the same
 * statistics with Flink's own windows. The requirement is ten thousand observations a second. Every side has a JVM of
 * its own and is warm; they alternate.
 */
public final class TailsBenchmark implements Benchmark {
    @Override
    public Result run(Context context) throws Exception {
        Fleet fleet =
                Fleet.of(context.choose(200, 10_000, 10_000), context.choose(60, 60, 120), System.currentTimeMillis());
        context.say("starting a broker");
        try (BrokerProcess broker = BrokerProcess.start()) {
            KafkaSettings kafka = broker.settings("fleet.");
            context.say("writing %,d observations", fleet.observations());
            double bytes = fleet.record(kafka);
            LogRequests requests = LogRequests.of(context, kafka, fleet.observations(), fleet.windows());
            String product = "kipimo " + context.backend().flinkName();
            try (SubjectProcess kipimo = SubjectProcess.start(TailsSubject.class, 4);
                    SubjectProcess plain = SubjectProcess.start(PlainWindowsSubject.class, 8)) {
                Table table = new ThroughputComparison(context, "observations", context.choose(0, 1, 1))
                        .add(product, round -> kipimo.run(requests.next()), () -> fault(kafka, fleet))
                        .add("flink's own windows", round -> plain.run(requests.next()), () -> fault(kafka, fleet))
                        .run()
                        .table(product, "windows");
                return new Result(List.of(table), notes(fleet, bytes));
            }
        }
    }

    private static List<String> notes(Fleet fleet, double bytes) {
        return List.of(
                fleet.describe(),
                Phrase.of(
                        "%.0f bytes an observation; %,d windows of %,d scopes", bytes, fleet.windows(), fleet.scopes()),
                "Flink's own windows count a repeated second twice, and have no"
                        + " policies; otherwise they give the same figures");
    }

    /** Checks that every window exists with all of its requests; empties the topic. */
    private static Optional<String> fault(KafkaSettings kafka, Fleet fleet) throws Exception {
        Set<String> windows = new HashSet<>();
        LongAdder completions = new LongAdder();
        TopicDrain.drain(kafka, Topic.TAILS, Codecs.TAIL_WINDOW, window -> {
            if (window.endMillis() <= fleet.endMillis()
                    && windows.add(window.level() + window.scope() + window.kind() + window.endMillis())) {
                completions.add(window.counts().completions());
            }
        });
        return windows.size() == fleet.windows() && completions.sum() == fleet.completions()
                ? Optional.empty()
                : Optional.of(windows.size() + " windows, " + completions + " completions");
    }
}
