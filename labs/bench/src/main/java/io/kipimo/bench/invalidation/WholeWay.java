package io.kipimo.bench.invalidation;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.JobProcess;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Table;
import io.kipimo.core.invalidation.MatchingCell;
import io.kipimo.core.invalidation.Registration;
import io.kipimo.embedded.kafka.TopicConsumers;
import io.kipimo.embedded.process.Await;
import io.kipimo.jobs.invalidation.InvalidationJob;
import io.kipimo.loadgen.generator.OpenLoop;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.CachingReports;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * Measures the latency from the scheduled time of a write at the producer to the arrival of its notification at a
 * consumer. The path is the broker, the invalidation job in a JVM of its own, and the broker again.
 */
final class WholeWay {
    private static final int PARTITIONS = 4;
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long QUIET_MILLIS = 2_000;
    private static final String INSERT = "post-";
    private static final String PROBE = "probe-";

    private final KafkaSettings kafka;
    private final PostWorkload workload;
    private final int warmUp;
    private final int inserts;

    /** Scheduled time of the first insert; the others follow at intervals of a millisecond. */
    private volatile long startNanos;

    /**
     * Prepares a measurement.
     *
     * @param warmUp inserts that are not counted
     * @param inserts all inserts, including warm-up
     */
    private WholeWay(KafkaSettings kafka, PostWorkload workload, int warmUp, int inserts) {
        this.kafka = kafka;
        this.workload = workload;
        this.warmUp = warmUp;
        this.inserts = inserts;
    }

    static void measure(Context context, BrokerProcess broker, int queries, int warmUpSeconds, int seconds, Table table)
            throws Exception {
        KafkaSettings kafka = broker.settings("invalidation-" + queries + ".");
        TopicAdmin.createMissing(kafka, PARTITIONS, (short) 1);
        context.say("%,d queries from log to log: %d s warm-up, %d s measured", queries, warmUpSeconds, seconds);
        try (JobProcess job =
                new JobProcess(InvalidationJob.NAME, kafka, context.backend().flinkName(), Map.of())) {
            new WholeWay(kafka, new PostWorkload(queries), warmUpSeconds * 1_000, (warmUpSeconds + seconds) * 1_000)
                    .run(context, job, table);
        }
    }

    private void run(Context context, JobProcess job, Table table) throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        NotificationWatch watch = new NotificationWatch();
        Histogram lags = new Histogram(TimeUnit.MINUTES.toMicros(10), 3);
        try (CachingReports reports = CachingReports.connect(kafka)) {
            Future<?> watching = threads.submit(watch);
            watch.started.await();
            subscribe(reports);
            awaitProbe(reports, watch, job);
            startNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
            AtomicInteger sent = new AtomicInteger();
            OpenLoop.run(OpenLoop.regular(PERIOD_NANOS, startNanos).limit(inserts), due -> {
                int number = sent.getAndIncrement();
                if (number >= warmUp) {
                    lags.recordValue((System.nanoTime() - due) / 1_000);
                }
                write(reports, INSERT + number, workload.document(number));
            });
            job.requireAlive();
            Await.quiet(watch.seen::get, QUIET_MILLIS);
            watch.isOver = true;
            watching.get();
        } finally {
            threads.shutdownNow();
        }
        table.row()
                .cell("queries", workload.queries())
                .cell("results told", watch.results.getTotalCount())
                .cell("expected", expectedResults())
                .cell("results p50", millis(watch.results, 50))
                .cell("results p99", millis(watch.results, 99))
                .cell("records told", watch.records.getTotalCount())
                .cell("records p50", millis(watch.records, 50))
                .cell("records p99", millis(watch.records, 99))
                .cell("records max", millis(watch.records, 100))
                .cell("producer lag p99", millis(lags, 99));
        context.say(
                "%,d queries: p50 %.1f ms, p99 %.1f ms",
                workload.queries(), millis(watch.records, 50), millis(watch.records, 99));
    }

    private void subscribe(CachingReports reports) {
        long now = System.currentTimeMillis();
        CompletableFuture<?>[] confirmed = new CompletableFuture<?>[workload.queries()];
        for (int i = 0; i < confirmed.length; i++) {
            confirmed[i] = reports.subscribe(SubscriptionBuilder.builder()
                    .service(PostWorkload.SERVICE)
                    .table(PostWorkload.TABLE)
                    .key("q" + i)
                    .filter(workload.filter(i).toString())
                    .sort("")
                    .representation(ResultRepresentation.OBJECT_LIST)
                    .evaluatedMillis(now)
                    .registeredMillis(now)
                    .build());
        }
        CompletableFuture.allOf(confirmed).join();
    }

    private void awaitProbe(CachingReports reports, NotificationWatch watch, JobProcess job) {
        AtomicInteger probes = new AtomicInteger();
        Await.until(
                () -> {
                    job.requireAlive();
                    write(reports, PROBE + probes.getAndIncrement(), "{}");
                    return watch.hasSeenProbe;
                },
                PATIENCE,
                () -> "the invalidation job sent nothing in " + PATIENCE.toSeconds() + " s");
    }

    private static void write(CachingReports reports, String record, String document) {
        var unused = reports.wrote(new RecordWrite(
                PostWorkload.SERVICE,
                PostWorkload.TABLE,
                record,
                WriteKind.INSERT,
                1,
                System.currentTimeMillis(),
                document));
    }

    /** Number of matches of the counted inserts, computed by a cell in this JVM. */
    private long expectedResults() {
        MatchingCell cell = new MatchingCell(new MatchingCell.Retention(10_000, 10_000));
        for (int i = 0; i < workload.queries(); i++) {
            Registration registration = workload.registration(i);
            var unused = cell.register(registration, match -> {});
        }
        AtomicLong matches = new AtomicLong();
        for (int i = warmUp; i < inserts; i++) {
            var unused = cell.apply(workload.insert(i, i), match -> matches.incrementAndGet());
        }
        return matches.get();
    }

    private long dueNanos(int insert) {
        return startNanos + insert * PERIOD_NANOS;
    }

    private static double millis(Histogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    /** Reads notifications as they arrive, and records their latencies in microseconds. */
    private final class NotificationWatch implements Callable<Void> {
        private final Histogram results = new Histogram(TimeUnit.MINUTES.toMicros(10), 3);
        private final Histogram records = new Histogram(TimeUnit.MINUTES.toMicros(10), 3);
        private final CountDownLatch started = new CountDownLatch(1);
        private final AtomicLong seen = new AtomicLong();
        private volatile boolean hasSeenProbe;
        private volatile boolean isOver;

        @Override
        public Void call() throws InvalidRecordException {
            try (KafkaConsumer<byte[], byte[]> consumer = TopicConsumers.fromBeginning(kafka, Topic.INVALIDATIONS)) {
                started.countDown();
                while (!isOver) {
                    for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(Duration.ofMillis(100))) {
                        note(Codecs.INVALIDATION.decode(entry.value()), System.nanoTime());
                    }
                }
            }
            return null;
        }

        private void note(Invalidation invalidation, long nanos) {
            String record = invalidation.record();
            if (record.startsWith(PROBE)) {
                hasSeenProbe = true;
            }
            if (!record.startsWith(INSERT)) {
                return;
            }
            seen.incrementAndGet();
            int insert = Integer.parseInt(record.substring(INSERT.length()));
            if (insert >= warmUp) {
                (invalidation.kind() == CachedKind.QUERY ? results : records)
                        .recordValue(Math.max(0, nanos - dueNanos(insert)) / 1_000);
            }
        }
    }
}
