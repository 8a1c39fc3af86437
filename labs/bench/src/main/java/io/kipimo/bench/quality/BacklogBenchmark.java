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
import java.util.stream.Stream;

/**
 * Measures how much sooner a quality job with the local join catches up with a backlog if it measures a tenth of the
 * queries. Both sides read the same log; each has a JVM of its own and is warm. A further row reads an hour of a
 * service with few queries. There the costs of windows, of seconds of event time and of checks of queries fall on fewer
 * events.
 */
public final class BacklogBenchmark implements Benchmark {
    private static final String FULL = "every query";
    private static final String TENTH = "a tenth of the queries";
    private static final String SPARSE = "every query, 100/s of event time";
    private static final int WEIGHT = 10;
    private static final int SPARSE_PER_SECOND = 100;

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
                KafkaSettings sparseLog = broker.settings("sparse.");
                int seconds = context.choose(10, 600, 3_600);
                context.say("writing %,d seconds of %d queries", seconds, SPARSE_PER_SECOND);
                long nowMillis = System.currentTimeMillis();
                RecordedWorkload sparse = WorkloadRecorder.record(
                        sparseLog,
                        EventWorkload.usual(seconds * SPARSE_PER_SECOND, nowMillis)
                                .withRate(SPARSE_PER_SECOND)
                                .endingBefore(nowMillis));
                LogRequests hour = LogRequests.of(context, sparseLog, sparse);
                ThroughputComparison alone = new ThroughputComparison(context, "events", warmUps)
                        .lasting(repetition)
                        .withBroker(broker::cpuMicros)
                        .add(SPARSE, round -> all.run(hour.next()), Checksum.against(sparseLog, sparse))
                        .run();
                return result(comparison, recorded, alone, sparse, seconds);
            }
        }
    }

    /** Number of queries in the log that are measured at a sampling rate of a tenth. */
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

    /**
     * Checks that the sample's rows are all there, each with its weight, and that the true mean of the whole log is
     * within their interval. Returns the fault; empty if there is none.
     */
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

    private static Result result(
            ThroughputComparison comparison,
            RecordedWorkload recorded,
            ThroughputComparison alone,
            RecordedWorkload sparse,
            int sparseSeconds) {
        List<String> notes = new ArrayList<>();
        comparison.busyNote().or(alone::busyNote).ifPresent(notes::add);
        notes.add(recorded.describe());
        notes.add(sparse.describe());
        notes.add(Phrase.of(
                "%,d seconds at %d queries/s are read %.0f times as fast as they passed (best), %.0f times (median)",
                sparseSeconds,
                SPARSE_PER_SECOND,
                realTimes(alone, sparse, sparseSeconds, 0),
                realTimes(alone, sparse, sparseSeconds, 1)));
        Object[] full = comparison.rates(FULL);
        Object[] tenth = comparison.rates(TENTH);
        notes.add(Phrase.of(
                "a tenth is read %.2f times as fast by processor time and %.2f times by wall time (best), %.2f and %.2f (median)",
                times(tenth, full, 2), times(tenth, full, 0), times(tenth, full, 3), times(tenth, full, 1)));
        Stream.of(comparison, alone).forEach(run -> run.faults()
                .forEach((side, fault) -> notes.add(side + " measured something else: " + fault)));
        return new Result(List.of(comparison.table(FULL, "rows"), alone.table(SPARSE, "rows")), notes);
    }

    private static double realTimes(ThroughputComparison alone, RecordedWorkload sparse, int seconds, int place) {
        return (double) alone.rates(SPARSE)[place] * seconds / sparse.events();
    }

    private static double times(Object[] rates, Object[] others, int place) {
        return (double) rates[place] / (double) others[place];
    }
}
