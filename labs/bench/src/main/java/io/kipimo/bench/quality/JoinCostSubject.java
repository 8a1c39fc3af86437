package io.kipimo.bench.quality;

import com.sun.management.ThreadMXBean;
import io.kipimo.bench.peer.PeerQuery;
import io.kipimo.bench.side.BenchmarkSubject;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.QueryEvents;
import io.kipimo.bench.workload.SentEvent;
import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.core.quality.join.JoinOutput;
import io.kipimo.core.quality.join.PartitionedJoin;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.window.PaneSums;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Does what the quality job computes for an event, in one thread without Kafka and Flink: scan, join, measure, sum up,
 * encode. Its figures are those of the thread alone, so other load has little effect.
 */
public final class JoinCostSubject implements BenchmarkSubject {
    /** Key of {@link SideRequest#settings}: number of queries. */
    static final String QUERIES = "queries";

    /**
     * Keys of {@link SideRequest#settings}: shape of the workload. In {@link SubjectRun#details} these keys have the
     * greatest numbers that the events showed, because a subject of another tree may not know a setting.
     */
    static final String ITEMS = "items";

    static final String COMPONENTS = "components";

    /** Keys of {@link SubjectRun#details}: bytes allocated in all, and bytes allocated by scanning alone. */
    static final String BYTES = "bytes";

    static final String SCAN_BYTES = "scan bytes";

    /** Key: processor time of scanning alone, microseconds. */
    static final String SCAN_MICROS = "scan micros";

    /** Key: CRC-32C of all measurements, in order. */
    static final String DIGEST = "digest";

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Delay of event time behind the newest event, and the period at which event time moves, both in milliseconds. */
    private static final long OUT_OF_ORDER_MILLIS = 2_000;

    private static final long ADVANCE_MILLIS = 200;

    private final EventScanner scanner = new EventScanner();
    private final List<byte[]> answersOrPartials = new ArrayList<>();
    private boolean[] isAnswer;
    private int components;
    private int items;
    private long checksum;

    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        if (answersOrPartials.isEmpty()) {
            record(EventWorkload.usual(Integer.parseInt(request.settings().get(QUERIES)), 1_750_000_000_000L)
                    .withItems(Integer.parseInt(request.settings().get(ITEMS)))
                    .withComponents(Integer.parseInt(request.settings().get(COMPONENTS))));
        }
        Cost scan = Cost.of(this::scan);
        CRC32C digest = new CRC32C();
        Cost all = Cost.of(() -> join(digest));
        return new SubjectRun(
                isAnswer.length,
                all.nanos / 1000,
                all.nanos / 1000,
                Map.of(
                        BYTES,
                        (double) all.bytes,
                        SCAN_BYTES,
                        (double) scan.bytes,
                        SCAN_MICROS,
                        scan.nanos / 1e3,
                        DIGEST,
                        (double) digest.getValue(),
                        COMPONENTS,
                        (double) components,
                        ITEMS,
                        (double) items));
    }

    private void record(EventWorkload workload) {
        QueryEvents source = new QueryEvents(workload);
        List<SentEvent> events = new ArrayList<>();
        for (int query = 0; query < workload.queries(); query++) {
            events.addAll(source.query(query).events());
        }
        events.sort(Comparator.comparingLong(SentEvent::micros));
        isAnswer = new boolean[events.size()];
        for (SentEvent sent : events) {
            QueryEvent event = sent.event();
            isAnswer[answersOrPartials.size()] = event.isAnswer();
            if (event.isAnswer()) {
                components = Math.max(components, event.answer().invocations().size());
            } else {
                items = Math.max(items, event.partial().items().size());
            }
            answersOrPartials.add(
                    event.isAnswer()
                            ? Codecs.ANSWER.encode(event.answer())
                            : Codecs.PARTIAL_RESULT.encode(event.partial()));
        }
    }

    /** Scans one event. It copies the bytes first, as a consumer does. */
    private LoggedEvent scan(int place) throws Exception {
        byte[] wire = answersOrPartials.get(place).clone();
        return isAnswer[place] ? scanner.answer(wire, 0, place) : scanner.partial(wire, 0, place);
    }

    private void scan() throws Exception {
        for (int place = 0; place < isAnswer.length; place++) {
            checksum += scan(place).eventTimeMillis();
        }
    }

    private void join(CRC32C digest) throws Exception {
        QualitySettings settings = QualitySettings.of(Policy.builder()
                .service(EventWorkload.SERVICE)
                .metrics(List.of(PeerQuery.METRIC))
                .expirationWindowMillis(PeerQuery.WINDOW_MILLIS)
                .build());
        MeasurementWork results = new MeasurementWork(digest);
        PartitionedJoin join = new PartitionedJoin(store -> new JoinEngine(store, s -> settings, true, results));
        long advancedMillis = 0;
        for (int place = 0; place < isAnswer.length; place++) {
            LoggedEvent event = scan(place);
            join.accept(0, event);
            if (event.eventTimeMillis() >= advancedMillis + ADVANCE_MILLIS) {
                advancedMillis = event.eventTimeMillis();
                join.advance(advancedMillis - OUT_OF_ORDER_MILLIS);
                results.sums.drain(pane -> checksum++);
            }
        }
        join.advance(Long.MAX_VALUE);
    }

    /** The work of the operators that follow the join, for each measurement. */
    private static final class MeasurementWork implements JoinOutput {
        private final ContributionBounds bounds = new ContributionBounds();
        private final PaneSums sums = new PaneSums();
        private final CRC32C digest;

        MeasurementWork(CRC32C digest) {
            this.digest = digest;
        }

        @Override
        public void onMeasurement(Measurement measurement, long measuredBeforeMillis) {
            Measurement complete = bounds.complete(measurement, measuredBeforeMillis);
            sums.add(complete);
            digest.update(Codecs.MEASUREMENT.encode(complete));
        }
    }

    /** Processor time and allocated bytes of a piece of work in this thread. */
    private record Cost(long nanos, long bytes) {
        private interface JoinWork {
            void run() throws Exception;
        }

        static Cost of(JoinWork work) throws Exception {
            long thread = Thread.currentThread().getId();
            long bytes = THREADS.getThreadAllocatedBytes(thread);
            long nanos = THREADS.getCurrentThreadCpuTime();
            work.run();
            return new Cost(THREADS.getCurrentThreadCpuTime() - nanos, THREADS.getThreadAllocatedBytes(thread) - bytes);
        }
    }
}
