package io.kipimo.bench.quality;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.LogRequests;
import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.machine.ThroughputComparison;
import io.kipimo.bench.machine.TopicDrain;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.QueryEvents;
import io.kipimo.bench.workload.RecordedWorkload;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.core.quality.estimate.StratifiedEstimator;
import io.kipimo.core.quality.estimate.StratumSums;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * How much sooner a quality job with the local join catches up with a backlog of which it measures a tenth. Both sides
 * read the same log; each has a JVM of its own and is warm.
 */
public final class BacklogBenchmark implements Benchmark {
    private static final String FULL = "every query";
    private static final String TENTH = "a tenth of the queries";
    private static final int WEIGHT = 10;

    @Override
    public Result run(Context context) throws Exception {
        int queries = context.choose(2_000, 150_000, 600_000);
        int warmUps = context.choose(0, 4, 8);
        Duration repetition = Duration.ofSeconds(context.choose(0, 3, 10));
        int heapGibibytes = context.choose(1, 4, 4);
        context.say("starting a broker");
        try (BrokerProcess broker = BrokerProcess.start()) {
            KafkaSettings log = broker.settings("log.");
            context.say("writing %,d queries", queries);
            RecordedWorkload recorded =
                    WorkloadRecorder.record(log, EventWorkload.usual(queries, System.currentTimeMillis()));
            ThroughputComparison comparison = new ThroughputComparison(context, "events", warmUps)
                    .lasting(repetition)
                    .withBroker(broker::cpuMicros);
            LogRequests full = LogRequests.of(context, log, recorded);
            LogRequests tenth = new LogRequests(
                    log,
                    recorded.events(),
                    sampled(recorded),
                    // The age of the log at the start of the first repetition is more than a second.
                    Map.of("join.backlog-rate", "0.1", "join.backlog-begin", "100 ms", "join.backlog-end", "10 ms"));
            try (SubjectProcess all = SubjectProcess.start(LocalJoinSubject.class, heapGibibytes);
                    SubjectProcess some = SubjectProcess.start(LocalJoinSubject.class, heapGibibytes)) {
                comparison.add(FULL, round -> all.run(full.next()), Checksum.against(log, recorded));
                comparison.add(TENTH, round -> some.run(tenth.next()), () -> fault(log, recorded));
                comparison.run();
            }
            return result(comparison, recorded);
        }
    }

    /** Number of queries that are measured at a tenth. */
    private static long sampled(RecordedWorkload recorded) {
        return IntStream.range(0, recorded.workload().queries())
                        .mapToObj(i -> QueryEvents.queryId(recorded.workload().seed(), i))
                        .filter(BacklogBenchmark::isSampled)
                        .count()
                + IntStream.range(0, WorkloadRecorder.PARTITIONS)
                        .mapToObj(QueryEvents::runOutId)
                        .filter(BacklogBenchmark::isSampled)
                        .count();
    }

    private static boolean isSampled(String id) {
        return ConsistentSampling.isSampled(id, 1.0 / WEIGHT);
    }

    /** The rows of the sample, each with its weight, and the truth of the whole log within their interval. */
    private static Optional<String> fault(KafkaSettings kafka, RecordedWorkload recorded) throws Exception {
        AtomicReference<StratumSums> sums = new AtomicReference<>(StratumSums.NONE);
        TopicDrain.drain(kafka, Topic.QUALITY, Codecs.MEASUREMENT, row -> sums.getAndUpdate(sum -> plus(sum, row)));
        StratumSums measured = sums.get();
        long wanted = sampled(recorded);
        if (measured.count() != wanted || measured.weight() != WEIGHT * wanted) {
            return Optional.of(Phrase.of(
                    "%,d rows stand for %,d; expected: %,d of weight %d",
                    measured.count(), measured.weight(), wanted, WEIGHT));
        }
        double truth = recorded.qualitySum() / recorded.measurements();
        Estimate estimate = StratifiedEstimator.stratumMean(measured, recorded.measurements());
        return estimate.low() <= truth && truth <= estimate.high()
                ? Optional.empty()
                : Optional.of(
                        Phrase.of("quality is %.4f, estimated %.4f..%.4f", truth, estimate.low(), estimate.high()));
    }

    private static StratumSums plus(StratumSums sums, Measurement row) {
        return row.completeness().hasQuality() ? sums.add(row.scores().get(0).high(), row.represents()) : sums;
    }

    private static Result result(ThroughputComparison comparison, RecordedWorkload recorded) {
        List<String> notes = new ArrayList<>();
        comparison.busyNote().ifPresent(notes::add);
        notes.add(recorded.describe());
        Object[] full = comparison.rates(FULL);
        Object[] tenth = comparison.rates(TENTH);
        notes.add(Phrase.of(
                "a tenth is read %.2f times as fast by processor time and %.2f times by wall time (best), %.2f and %.2f (median)",
                times(tenth, full, 2), times(tenth, full, 0), times(tenth, full, 3), times(tenth, full, 1)));
        comparison.faults().forEach((side, fault) -> notes.add(side + " measured something else: " + fault));
        return new Result(List.of(comparison.table(FULL, "rows")), notes);
    }

    private static double times(Object[] rates, Object[] others, int place) {
        return (double) rates[place] / (double) others[place];
    }
}
