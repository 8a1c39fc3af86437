package io.kipimo.harness.soak;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.flink.MetricsPage;
import io.kipimo.embedded.flink.StandaloneCluster;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.embedded.kafka.TopicConsumers;
import io.kipimo.harness.oracle.LogRecord;
import io.kipimo.harness.oracle.SteadyTraffic;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Runs the quality job in processes of its own under steady traffic, and kills one of the processes at intervals. */
final class Soak implements AutoCloseable {
    private static final int PARTITIONS = 4;
    private static final int SLOTS = 2;
    private static final long STEP_MILLIS = 50;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /**
     * Duration and load of a run.
     *
     * @param killEvery time between kills, and before the first one
     * @param sampleEvery time between samples of the figures that must not grow
     */
    record SoakSettings(Duration length, Duration killEvery, Duration sampleEvery, double queriesPerSecond) {}

    private final SoakSettings settings;
    private final Consumer<String> progress;
    private final EmbeddedKafka broker = EmbeddedKafka.start();
    private final KafkaSettings kafka = new KafkaSettings(broker.bootstrapServers(), "soak.", Map.of());
    private final StandaloneCluster cluster = FlinkCluster.standalone(2, SLOTS);
    private final Ledger ledger = new Ledger();
    private final List<Vitals> samples = new ArrayList<>();
    private JobID job;
    private int killed;

    /** Time of the last kill, {@link System#nanoTime}; 0 while the job runs. */
    private long killedAtNanos;

    private long restartsBeforeKill;
    private long longestRecoveryNanos;

    Soak(SoakSettings settings, Consumer<String> progress) {
        this.settings = settings;
        this.progress = progress;
    }

    SoakSummary run() throws Exception {
        TopicAdmin.createMissing(kafka, PARTITIONS, (short) 1);
        SteadyTraffic traffic =
                new SteadyTraffic(1, PARTITIONS, settings.queriesPerSecond(), System.currentTimeMillis());
        traffic.policies().forEach(policy -> PolicyStore.publish(kafka, policy));
        job = startJob();
        try (KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
                KafkaConsumer<byte[], byte[]> reader =
                        TopicConsumers.fromBeginning(kafka, Topic.QUALITY, Topic.LATE_EVENTS)) {
            load(traffic, producer, reader);
            finish(traffic, producer, reader);
        }
        List<Flatness> flatness = samples.size() < Flatness.LEAST_SAMPLES
                ? List.of()
                : Arrays.stream(Vitals.VitalFigure.values())
                        .map(figure -> Flatness.of(figure, samples))
                        .toList();
        return SoakSummaryBuilder.builder()
                .queries(ledger.queries())
                .events(traffic.sent())
                .kills(killed)
                .restarts(cluster.restarts(job))
                .longestRecoverySeconds(longestRecoveryNanos / 1e9)
                .lost(ledger.lost())
                .findings(ledger.findings())
                .repeated(ledger.repeated())
                .lateMissing(traffic.late() - ledger.lateEvents())
                .miscounted(traffic.sent() - counted())
                .flatness(flatness)
                .build();
    }

    private JobID startJob() throws Exception {
        Configuration config = new Configuration();
        config.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), kafka.bootstrapServers());
        config.set(KafkaOptions.TOPIC_PREFIX.option(), kafka.topicPrefix());
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(5));
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        env.setParallelism(SLOTS);
        QualityJob.define(env, QualityJob.OPTIONS.read(config));
        return env.executeAsync("soak").getJobID();
    }

    private void load(
            SteadyTraffic traffic, KafkaProducer<byte[], byte[]> producer, KafkaConsumer<byte[], byte[]> reader)
            throws InterruptedException {
        long start = System.nanoTime();
        long nextKill = start + settings.killEvery().toNanos();
        long nextSample = start + settings.sampleEvery().toNanos();
        long end = start + settings.length().toNanos();
        for (long now = start; now < end; now = System.nanoTime()) {
            send(traffic.queriesUntil(System.currentTimeMillis()), producer);
            ledger.expect(traffic.takeNewRows());
            read(reader);
            if (now > nextKill) {
                nextKill += settings.killEvery().toNanos();
                kill();
            }
            if (now > nextSample) {
                nextSample += settings.sampleEvery().toNanos();
                samples.add(Vitals.of(cluster));
                showProgress(end - now);
            }
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        }
    }

    private void kill() {
        restartsBeforeKill = cluster.restarts(job);
        killedAtNanos = System.nanoTime();
        cluster.killOldestTaskManager();
        killed++;
        cluster.replaceTaskManagers();
    }

    /** Ends the open queries and evaluates the run. */
    private void finish(
            SteadyTraffic traffic, KafkaProducer<byte[], byte[]> producer, KafkaConsumer<byte[], byte[]> reader)
            throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            send(traffic.eventsUntil(System.currentTimeMillis()), producer);
            read(reader);
            if (ledger.lost() == 0 && ledger.lateEvents() == traffic.late() && counted() == traffic.sent()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        }
    }

    /** Number of events by the job's own counts: joined and late ones. */
    private long counted() {
        MetricsPage page = cluster.metricPages();
        return (long) (page.ofOperators("kipimo_joinedEvents", job) + page.ofOperators("kipimo_lateEvents", job));
    }

    private void send(List<LogRecord> records, KafkaProducer<byte[], byte[]> producer) {
        for (LogRecord record : records) {
            var unused = producer.send(record.toKafka(kafka.topicPrefix()));
        }
    }

    private void read(KafkaConsumer<byte[], byte[]> reader) {
        var records = reader.poll(Duration.ZERO);
        // Records written before the job failed do not show its recovery.
        if (killedAtNanos > 0 && !records.isEmpty() && cluster.restarts(job) > restartsBeforeKill) {
            longestRecoveryNanos = Math.max(longestRecoveryNanos, System.nanoTime() - killedAtNanos);
            killedAtNanos = 0;
        }
        String lateEvents = kafka.name(Topic.LATE_EVENTS);
        for (ConsumerRecord<byte[], byte[]> record : records) {
            try {
                if (record.topic().equals(lateEvents)) {
                    ledger.late(Codecs.QUERY_EVENT.decode(record.value()));
                } else {
                    ledger.measured(Codecs.MEASUREMENT.decode(record.value()));
                }
            } catch (InvalidRecordException e) {
                throw new IllegalStateException("what the job wrote cannot be read", e);
            }
        }
    }

    private void showProgress(long leftNanos) {
        Vitals newest = samples.get(samples.size() - 1);
        progress.accept(String.format(
                Locale.ROOT,
                "%d min left: %d queries, %d measured, %d kills; state %.1f MB, heap %.0f MB,"
                        + " %.0f threads, %.0f descriptors, %.0f producers",
                TimeUnit.NANOSECONDS.toMinutes(leftNanos),
                ledger.queries(),
                ledger.measuredQueries(),
                killed,
                newest.get(Vitals.VitalFigure.STATE_BYTES) / 1e6,
                newest.get(Vitals.VitalFigure.HEAP_BYTES) / 1e6,
                newest.get(Vitals.VitalFigure.THREADS),
                newest.get(Vitals.VitalFigure.DESCRIPTORS),
                newest.get(Vitals.VitalFigure.PRODUCERS)));
    }

    @Override
    public void close() {
        cluster.close();
        broker.close();
    }
}
