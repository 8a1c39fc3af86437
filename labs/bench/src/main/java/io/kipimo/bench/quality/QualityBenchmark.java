package io.kipimo.bench.quality;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.LogRequests;
import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.machine.ThroughputComparison;
import io.kipimo.bench.machine.ThroughputComparison.RepetitionCheck;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.streams.StreamsSubject;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.RecordedWorkload;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares sides that read a log from Kafka, join it and write to Kafka on this machine: the product's own job, other
 * implementations of the join, and if wanted a former version of the product. A further side only consumes the records.
 * Every side has a JVM of its own and is warm; they take turns. All sides read the same log, repeatedly until the
 * repetition ends. Their clock starts at the first event.
 */
public final class QualityBenchmark implements Benchmark {
    private static final String LOCAL = "kipimo hashmap, join.path LOCAL";

    @Override
    public Result run(Context context) throws Exception {
        int queries = context.choose(2_000, 150_000, 600_000);
        int warmUps = context.choose(0, 8, 8);
        Duration repetition = Duration.ofSeconds(context.choose(0, 3, 10));
        int heapGibibytes = context.choose(1, 4, 4);
        context.say("starting a broker");
        try (BrokerProcess broker = BrokerProcess.start()) {
            KafkaSettings log = broker.settings("log.");
            context.say("writing %,d queries", queries);
            RecordedWorkload recorded =
                    WorkloadRecorder.record(log, EventWorkload.usual(queries, System.currentTimeMillis()));
            String product = "kipimo " + context.backend().flinkName();
            ThroughputComparison comparison = new ThroughputComparison(context, "events", warmUps)
                    .lasting(repetition)
                    .withBroker(broker::cpuMicros);
            try (QualitySides sides = new QualitySides(
                    comparison, LogRequests.of(context, log, recorded), Checksum.against(log, recorded))) {
                sides.join(product, SubjectProcess.start(ProductSubject.class, heapGibibytes));
                boolean onHeap = context.backend() == Context.StateBackend.HASHMAP;
                if (onHeap) {
                    sides.join(LOCAL, SubjectProcess.start(LocalJoinSubject.class, heapGibibytes));
                } else {
                    sides.on(Context.StateBackend.HASHMAP)
                            .join("kipimo hashmap", SubjectProcess.start(ProductSubject.class, heapGibibytes));
                }
                sides.read("plain consumption", SubjectProcess.start(ConsumerSubject.class, 1));
                if (context.against().isPresent()) {
                    Path tree = context.against().get();
                    sides.join("former " + product, SubjectProcess.startOf(tree, ProductSubject.class, heapGibibytes));
                    if (onHeap) {
                        sides.join(
                                "former " + LOCAL, SubjectProcess.startOf(tree, LocalJoinSubject.class, heapGibibytes));
                    }
                } else {
                    sides.join("flink interval join", SubjectProcess.start(IntervalJoinSubject.class, heapGibibytes));
                    sides.join("kafka streams 4.3.1", SubjectProcess.startApart(StreamsSubject.class, heapGibibytes));
                }
                comparison.run();
            }
            return result(product, comparison, recorded);
        }
    }

    private static Result result(String product, ThroughputComparison comparison, RecordedWorkload recorded) {
        List<String> notes = new ArrayList<>();
        comparison.busyNote().ifPresent(notes::add);
        notes.add(recorded.describe());
        notes.add("the joining peers have no attribution, windows or tombstones;"
                + " plain consumption discards the records");
        notes.add("the interval join is an inner join: it never measures an answer without a partial"
                + " result at all; here hardly any");
        comparison.faults().forEach((side, fault) -> notes.add(side + " measured something else: " + fault));
        return new Result(List.of(comparison.table(product, "measurements")), notes);
    }

    /** The sides of the comparison, with their processes. */
    private record QualitySides(
            ThroughputComparison comparison,
            LogRequests requests,
            RepetitionCheck check,
            List<SubjectProcess> processes)
            implements AutoCloseable {
        QualitySides(ThroughputComparison comparison, LogRequests requests, RepetitionCheck check) {
            this(comparison, requests, check, new ArrayList<>());
        }

        /** This comparison, with another state backend for the sides that are added to the result. */
        QualitySides on(Context.StateBackend backend) {
            return new QualitySides(comparison, requests.on(backend), check, processes);
        }

        /** Adds a side that writes measurements. */
        void join(String name, SubjectProcess side) {
            processes.add(side);
            comparison.add(name, round -> side.run(requests.next()), check);
        }

        /** Adds a side that only reads. */
        void read(String name, SubjectProcess side) {
            processes.add(side);
            comparison.add(name, round -> side.run(requests.next()));
        }

        @Override
        public void close() {
            processes.forEach(SubjectProcess::close);
        }
    }
}
