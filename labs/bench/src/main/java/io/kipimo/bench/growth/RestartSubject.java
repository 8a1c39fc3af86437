package io.kipimo.bench.growth;

import com.sun.management.GarbageCollectionNotificationInfo;
import io.kipimo.bench.side.CpuClock;
import io.kipimo.bench.side.EndOffsets;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.EventWorkloadBuilder;
import io.kipimo.bench.workload.WorkloadRecorder;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.kafka.clients.admin.Admin;

/**
 * Runs the product's job with the local join. It stops the job with a savepoint while all queries of the log are open,
 * and starts it again from there: first untimed, which compiles the code, then at each parallelism.
 */
public final class RestartSubject extends OpenQueriesSubject {
    /** Partitions of each topic. The benchmark must record its log with as many. */
    static final int PARTITIONS = 8;

    /** Parallelisms at which the job is started again. */
    static final List<Integer> PARALLELISMS = List.of(2, 8);

    /**
     * Names of the figures in {@link SubjectRun#details}. A key there is the savepoint's format, the parallelism and
     * one of these names.
     */
    static final String RUNNING_MILLIS = "millis to running";

    static final String ROW_MILLIS = "millis to row";
    static final String CPU_MILLIS = "processor millis";
    static final String COLLECTOR_MILLIS = "collector millis";
    static final String PEAK_BYTES = "peak bytes";
    static final String LIVE_BYTES = "live bytes";
    static final String READ_CALLS = "read calls";
    static final String READ_BYTES = "read bytes";

    private static final int WARM_UP_PARALLELISM = 4;
    private static final long POLL_MILLIS = 10;
    private static final long SETTLE_MILLIS = 1_000;
    private static final long SETTLED_BYTES = 10_000_000;

    /**
     * Number of complete queries that are added to the log; their measurements are the first rows after the restart.
     */
    private static final int LATER_QUERIES = 100;

    public RestartSubject() throws Exception {
        super(PARTITIONS);
    }

    /** Key of a figure in {@link SubjectRun#details}. */
    static String key(SavepointFormatType format, int parallelism, String figure) {
        return format + " " + parallelism + " " + figure;
    }

    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        Configuration settings = settings(request, JoinPath.LOCAL);
        Map<String, Double> details = new TreeMap<>();
        long start = System.nanoTime();
        long cpu = CpuClock.micros();
        JobID job = start(settings, 2);
        awaitAllRead(request, settings, job);
        String savepoint = flink().stop(job, SavepointFormatType.NATIVE);
        recordMore(request, 2);
        JobID warm = restart(request, settings, savepoint, WARM_UP_PARALLELISM, details, "");
        String canonical = flink().stop(warm, SavepointFormatType.CANONICAL);
        recordMore(request, 3);
        for (SavepointFormatType format : SavepointFormatType.values()) {
            String from = format == SavepointFormatType.NATIVE ? savepoint : canonical;
            for (int parallelism : PARALLELISMS) {
                String prefix = key(format, parallelism, "");
                JobID again = restart(request, settings, from, parallelism, details, prefix);
                flink().cancel(again);
            }
        }
        return new SubjectRun(request.events(), (System.nanoTime() - start) / 1000, CpuClock.micros() - cpu, details);
    }

    private static void recordMore(SideRequest request, long seed) throws Exception {
        WorkloadRecorder.recordMore(
                new KafkaSettings(request.bootstrapServers(), request.topicPrefix(), Map.of()),
                EventWorkloadBuilder.builder(EventWorkload.usual(LATER_QUERIES, System.currentTimeMillis())
                                .withShares(0, 0, 0))
                        .seed(seed)
                        .build(),
                PARTITIONS);
    }

    private JobID restart(
            SideRequest request,
            Configuration settings,
            String savepoint,
            int parallelism,
            Map<String, Double> details,
            String prefix)
            throws Exception {
        Configuration from = settings.clone();
        from.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        double heapBefore = (double) settledHeapBytes();
        try (Admin admin = admin(request);
                PeakHeap peak = new PeakHeap()) {
            EndOffsets rows = new EndOffsets(admin, Topic.QUALITY.name(request.topicPrefix()));
            long before = rows.sum();
            long collector = collectorMillis();
            Map<String, Long> io = io();
            long cpu = CpuClock.micros();
            long start = System.nanoTime();
            JobID job = start(from, parallelism);
            details.put(prefix + RUNNING_MILLIS, millisSince(start));
            while (rows.sum() == before) {
                Thread.sleep(POLL_MILLIS);
            }
            details.put(prefix + ROW_MILLIS, millisSince(start));
            details.put(prefix + CPU_MILLIS, (CpuClock.micros() - cpu) / 1e3);
            details.put(prefix + COLLECTOR_MILLIS, (double) (collectorMillis() - collector));
            io().forEach((figure, value) -> details.put(prefix + figure, (double) (value - io.get(figure))));
            double live = (double) liveHeapBytes();
            details.put(prefix + LIVE_BYTES, live - heapBefore);
            details.put(prefix + PEAK_BYTES, Math.max(live, (double) peak.bytes()) - heapBefore);
            return job;
        }
    }

    /**
     * Waits until the live heap no longer shrinks, and returns its bytes. A cancelled job releases its state a little
     * after it has ended.
     */
    private static long settledHeapBytes() throws InterruptedException {
        long before = liveHeapBytes();
        while (true) {
            Thread.sleep(SETTLE_MILLIS);
            long now = liveHeapBytes();
            if (now > before - SETTLED_BYTES) {
                return now;
            }
            before = now;
        }
    }

    private static double millisSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e6;
    }

    private static long collectorMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    /** System calls that read, and bytes that they returned, since this process started. */
    private static Map<String, Long> io() throws IOException {
        Map<String, Long> figures = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
            String[] words = line.split(": ");
            if (words[0].equals("syscr")) {
                figures.put(READ_CALLS, Long.valueOf(words[1]));
            } else if (words[0].equals("rchar")) {
                figures.put(READ_BYTES, Long.valueOf(words[1]));
            }
        }
        return figures;
    }

    /**
     * Watches for the greatest heap that is left after a garbage collection. Memory that was never collected does not
     * count.
     */
    private static final class PeakHeap implements AutoCloseable {
        private static final Set<String> HEAP = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getName)
                .collect(Collectors.toSet());

        private final AtomicLong most = new AtomicLong();
        private final NotificationListener listener = (notification, unused) -> most.accumulateAndGet(
                GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                        .getGcInfo()
                        .getMemoryUsageAfterGc()
                        .entrySet()
                        .stream()
                        .filter(pool -> HEAP.contains(pool.getKey()))
                        .mapToLong(pool -> pool.getValue().getUsed())
                        .sum(),
                Math::max);

        PeakHeap() {
            for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
                ((NotificationEmitter) each).addNotificationListener(listener, null, null);
            }
        }

        long bytes() {
            return most.get();
        }

        @Override
        public void close() throws Exception {
            for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
                ((NotificationEmitter) each).removeNotificationListener(listener);
            }
        }
    }
}
