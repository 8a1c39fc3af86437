package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The quality job while one writer's clock is ahead, by less than the dead-letter limit. The queries of all other
 * writers are measured as if that writer did not exist.
 */
@WithBackends
class ClockAheadITCase {

    /** Partitions of each topic. With more, a partition without the fast clock would hold back event time. */
    private static final int PARTITIONS = 1;

    private static final long AHEAD_MILLIS = 50_000;
    private static final int EXPIRATION_MILLIS = 3_000;

    /** Time until a late component's result arrives. */
    private static final int LATE_MILLIS = 500;

    private static final int TICK_MILLIS = 50;
    private static final int TICKS = 160;
    private static final Policy POLICY = ShopPolicy.of(2, EXPIRATION_MILLIS, 10_000, 1_000);

    private static Backends backends;
    private static FlinkCluster cluster;

    @BeforeAll
    static void start(Backends shared, FlinkCluster one) {
        backends = shared;
        cluster = one;
    }

    @Tag("full")
    @Test
    void oneWriterAheadMakesNobodyElseLateLiveOrInABacklog() throws Exception {
        KafkaSettings settings = topics("ahead.");
        try (Traffic traffic = new Traffic(settings, TICKS)) {
            traffic.play(TICKS / 2);
            JobID job = startJob(settings);
            traffic.play(TICKS);
            assertAllOfTheHonestAreMeasured(settings, traffic);
            assertBatchesGoOn(settings, traffic);
            // For each of three queries an answer and two partial results, and one observation.
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.metricSum(job, "recordsAhead"))
                    .isEqualTo(TICKS * (3 * 3 + 1)));
            cluster.cancel(job);
        }
    }

    @Tag("full")
    @Test
    void threeRecordsOnceMakeNobodyLate() throws Exception {
        KafkaSettings settings = topics("three.");
        JobID job = startJob(settings);
        try (Traffic traffic = new Traffic(settings, 1)) {
            traffic.play(TICKS);
            assertAllOfTheHonestAreMeasured(settings, traffic);
        }
        cluster.cancel(job);
    }

    /**
     * The reader's clock bounds only what is read as it is written: the fast writer's record that waits makes the
     * honest ones late that were written meanwhile. So the job must run before, and a busy machine breaks the test.
     */
    @Tag("full")
    @Test
    void topicsThatHaveTheWritersTimesAreBoundedByTheReadersClock() throws Exception {
        KafkaSettings settings = new KafkaSettings(backends.bootstrapServers(), "create.", Map.of());
        createWithWritersTimes(settings, PARTITIONS);
        PolicyStore.publish(settings, POLICY);
        assertThat(TopicAdmin.withoutAppendTime(settings))
                .containsExactlyInAnyOrder(
                        settings.name(Topic.ANSWERS), settings.name(Topic.PARTIALS), settings.name(Topic.OBSERVATIONS));
        JobID job = startJob(settings);
        await().atMost(PATIENCE).until(() -> cluster.areTasksRunning(job));
        try (Traffic traffic = new Traffic(settings, TICKS)) {
            traffic.play(TICKS);
            assertAllOfTheHonestAreMeasured(settings, traffic);
        }
        cluster.cancel(job);
    }

    private static KafkaSettings topics(String prefix) {
        KafkaSettings settings = new KafkaSettings(backends.bootstrapServers(), prefix, Map.of());
        TopicAdmin.createMissing(settings, PARTITIONS, (short) 1);
        assertThat(TopicAdmin.withoutAppendTime(settings)).isEmpty();
        PolicyStore.publish(settings, POLICY);
        return settings;
    }

    /**
     * Creates all topics; those of events as an older version has them, or another owner. Were they changed later, a
     * broker could give the first records its own time, since it learns of a change after the caller.
     */
    static void createWithWritersTimes(KafkaSettings settings, int partitions) {
        Set<String> events = Stream.of(Topic.ANSWERS, Topic.PARTIALS, Topic.OBSERVATIONS)
                .map(settings::name)
                .collect(Collectors.toSet());
        List<NewTopic> wanted = TopicAdmin.wanted(settings.topicPrefix(), partitions, (short) 1);
        for (NewTopic topic : wanted) {
            if (events.contains(topic.name())) {
                Map<String, String> configs = new HashMap<>(topic.configs());
                configs.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime");
                topic.configs(configs);
            }
        }
        TopicAdmin.create(settings, "create topics", wanted, TopicAdmin.PATIENCE);
    }

    private static JobID startJob(KafkaSettings settings) throws Exception {
        Configuration config = new Configuration();
        config.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), settings.bootstrapServers());
        config.set(KafkaOptions.TOPIC_PREFIX.option(), settings.topicPrefix());
        config.set(KafkaOptions.GROUP_ID.option(), settings.topicPrefix() + "test");
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        env.setParallelism(1);
        QualityJob.define(env, QualityJob.OPTIONS.read(config));
        return env.executeAsync("quality").getJobID();
    }

    private static void assertAllOfTheHonestAreMeasured(KafkaSettings settings, Traffic traffic) {
        try (TopicLog<Measurement> quality = new TopicLog<>(settings, Topic.QUALITY, Codecs.MEASUREMENT);
                TopicLog<QueryEvent> late = new TopicLog<>(settings, Topic.LATE_EVENTS, Codecs.QUERY_EVENT)) {
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(complete(quality.readOn()))
                    .as("late: %s", late.readOn().size())
                    .containsAll(traffic.honest));
        }
    }

    private static Set<String> complete(List<Measurement> rows) {
        return rows.stream()
                .filter(row -> row.completeness() == Completeness.COMPLETE)
                .map(Measurement::queryId)
                .collect(Collectors.toSet());
    }

    /** Batches of honest writers are published in time: no batch ends after its publication. */
    private static void assertBatchesGoOn(KafkaSettings settings, Traffic traffic) {
        try (TopicLog<QualityWindow> windows = new TopicLog<>(settings, Topic.QUALITY_WINDOWS, Codecs.QUALITY_WINDOW)) {
            await().atMost(PATIENCE).untilAsserted(() -> {
                List<QualityWindow> batches = windows.readOn().stream()
                        .filter(w -> w.kind() == WindowKind.BATCH)
                        .toList();
                assertThat(batches).hasSizeGreaterThan(TICKS / 2 * TICK_MILLIS / 1_000 - 2);
                assertThat(batches).allSatisfy(batch -> assertThat(batch.endMillis())
                        .isLessThan(traffic.endedMillis + AHEAD_MILLIS / 2));
            });
        }
    }

    /** Front ends with a component that is always late. One front end has a wrong clock. */
    private static final class Traffic implements AutoCloseable {
        private final KafkaSettings settings;
        private final int ticksAhead;
        private final KafkaProducer<byte[], byte[]> producer;
        private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor();
        private final List<Future<?>> sent = new ArrayList<>();
        private final Set<String> honest = java.util.concurrent.ConcurrentHashMap.newKeySet();
        private final AtomicInteger ticks = new AtomicInteger();
        private volatile long endedMillis;

        /** @param ticksAhead number of the first ticks in which the front end with the wrong clock writes */
        Traffic(KafkaSettings settings, int ticksAhead) {
            this.settings = settings;
            this.ticksAhead = ticksAhead;
            producer =
                    new KafkaProducer<>(settings.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
        }

        /** Sends traffic until the given tick. */
        void play(int untilTick) throws Exception {
            Future<?> running = ticker.scheduleAtFixedRate(
                    () -> {
                        if (ticks.get() < untilTick) {
                            tick(ticks.get());
                            ticks.incrementAndGet();
                        }
                    },
                    0,
                    TICK_MILLIS,
                    TimeUnit.MILLISECONDS);
            await().atMost(PATIENCE).until(() -> ticks.get() == untilTick || running.isDone());
            running.cancel(false);
            for (Future<?> each : sent) {
                each.get();
            }
            endedMillis = System.currentTimeMillis();
        }

        private void tick(int tick) {
            long now = System.currentTimeMillis();
            for (int i = 0; i < 3; i++) {
                String query = "honest-" + tick + '-' + i;
                honest.add(query);
                query(query, now);
            }
            if (tick < ticksAhead) {
                for (int i = 0; i < 3; i++) {
                    query("ahead-" + tick + '-' + i, now + AHEAD_MILLIS);
                }
                observation("ahead", now + AHEAD_MILLIS);
            }
            observation("honest", now);
        }

        /** The answer was sent some time ago; the late result arrives now. */
        private void query(String id, long now) {
            long started = now - LATE_MILLIS;
            long answered = started + 100;
            send(
                    Topic.ANSWERS,
                    id,
                    answered,
                    Codecs.ANSWER,
                    AnswerBuilder.builder()
                            .service("shop")
                            .queryId(id)
                            .queryClass("high")
                            .kind(AnswerKind.ONLINE)
                            .startedAtMillis(started)
                            .answeredAtMillis(answered)
                            .deadlineMillis(100)
                            .topK(2)
                            .invocations(List.of(
                                    new Invocation("a", Outcome.IN_TIME, 50_000),
                                    new Invocation("b", Outcome.TIMED_OUT, 100_000)))
                            .items(Items.ofNumbers(new long[] {1, 2}, new float[] {2, 1}))
                            .build());
            partial(id, "a", Phase.ONLINE, started + 50, 50_000, 1, 2);
            partial(id, "b", Phase.MATURE, now, LATE_MILLIS * 1_000L, 3, 4);
        }

        private void partial(String id, String component, Phase phase, long completed, long micros, long... of) {
            send(
                    Topic.PARTIALS,
                    id,
                    completed,
                    Codecs.PARTIAL_RESULT,
                    PartialResultBuilder.builder()
                            .service("shop")
                            .queryId(id)
                            .component(component)
                            .server("s1")
                            .phase(phase)
                            .completedAtMillis(completed)
                            .latencyMicros(micros)
                            .items(Items.ofNumbers(of, new float[] {3, 1}))
                            .build());
        }

        private void observation(String server, long now) {
            long second = now / 1_000 * 1_000 - 1_000;
            send(
                    Topic.OBSERVATIONS,
                    server,
                    second,
                    Codecs.OBSERVATION,
                    ObservationBuilder.builder()
                            .service("shop")
                            .tier("front")
                            .server(server)
                            .queryClass("high")
                            .secondMillis(second)
                            .offered(3)
                            .answered(3)
                            .timedOut(3)
                            .bill(MeasurementBill.NOTHING)
                            .admittedFraction(1)
                            .build());
        }

        private <T> void send(Topic topic, String key, long millis, Codec<T> codec, T record) {
            sent.add(producer.send(new ProducerRecord<>(
                    settings.name(topic), null, millis, key.getBytes(StandardCharsets.UTF_8), codec.encode(record))));
        }

        @Override
        public void close() {
            ticker.shutdownNow();
            producer.close();
        }
    }
}
