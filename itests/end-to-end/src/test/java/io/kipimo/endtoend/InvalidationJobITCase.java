package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.invalidation.frontier.ResumeToken;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.harness.flink.FlinkCluster;
import io.kipimo.harness.kafka.EmbeddedKafka;
import io.kipimo.harness.redis.EmbeddedRedis;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.invalidation.InvalidationJob;
import io.kipimo.jobs.invalidation.InvalidationOptions;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.redis.RedisSettings;
import io.kipimo.redis.RedisStaleKeys;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultRecord;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.invalidation.InvalidationReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.sdk.kafka.TopicAdmin;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The invalidation job between a real broker, a real Redis and a Flink cluster, one of whose
 * TaskManagers is killed in the middle, against an oracle that tests every query against every
 * write by predicates written in Java. What a reader takes who reconnects all the time is exactly
 * that, each once.
 */
class InvalidationJobITCase {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int PARTITIONS = 4;
    private static final int ROWS = 2;
    private static final int RECORDS = 400;
    private static final int AUTHORS = 40;
    private static final int PHASE = 1_500;
    private static final int REPLAYED = 50;
    private static final long HOUR_MILLIS = 3_600_000;
    private static EmbeddedKafka kafka;
    private static EmbeddedRedis redis;
    private static FlinkCluster cluster;

    @BeforeAll
    static void start() {
        kafka = EmbeddedKafka.start();
        redis = EmbeddedRedis.start();
        cluster = FlinkCluster.standalone(2, 2);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
        if (redis != null) {
            redis.close();
        }
        kafka.close();
    }

    private record Post(int author, double price, boolean isDraft) {
        String json() {
            return "{\"author\": "
                    + author
                    + ", \"price\": "
                    + price
                    + ", \"tags\": [\"t"
                    + author % 7
                    + "\", \"all\"], \"draft\": "
                    + isDraft
                    + "}";
        }
    }

    /**
     * @param keepsContent whether a list of objects is cached, which a change of a record's content
     *     makes stale
     */
    private record Query(
            String key, String filter, Predicate<Post> selects, boolean keepsContent, int limit) {
        boolean isSorted() {
            return limit > 0;
        }
    }

    /** One notification, whatever its place. */
    private record Told(String key, String record, long version) {}

    /** The database, all queries, and what every write must tell. */
    private static final class Oracle {
        private final Random random = new Random(11);
        private final long startMillis;
        private final Map<String, Post> store = new TreeMap<>();
        private final Map<String, Long> versions = new HashMap<>();
        private final List<Query> queries = new ArrayList<>();
        private final Set<Told> expected = new HashSet<>();
        private int writes;

        Oracle(long startMillis) {
            this.startMillis = startMillis;
        }

        long nowMillis() {
            return startMillis + writes;
        }

        RecordWrite write() {
            String id = "post-" + writes * 7 % RECORDS;
            Post before = store.get(id);
            Post after =
                    before != null && random.nextInt(8) == 0
                            ? null
                            : new Post(
                                    random.nextInt(AUTHORS),
                                    random.nextInt(1_000) / 10.0,
                                    random.nextInt(4) == 0);
            long version = versions.merge(id, 1L, Long::sum);
            RecordWrite write =
                    new RecordWrite(
                            "shop",
                            "posts",
                            id,
                            after == null
                                    ? WriteKind.DELETE
                                    : before == null ? WriteKind.INSERT : WriteKind.UPDATE,
                            version,
                            nowMillis(),
                            after == null ? "" : after.json());
            for (Query query : queries) {
                boolean was = before != null && query.selects().test(before);
                boolean is = after != null && query.selects().test(after);
                if (!query.isSorted() && (was != is || (is && query.keepsContent()))) {
                    expected.add(new Told(query.key(), id, version));
                }
            }
            expected.add(new Told(id, id, version));
            if (after == null) {
                store.remove(id);
            } else {
                store.put(id, after);
            }
            writes++;
            return write;
        }

        /** Ids of the sorted query's result now. */
        List<String> window(Query query) {
            return store.entrySet().stream()
                    .filter(e -> query.selects().test(e.getValue()))
                    .sorted(
                            Comparator.comparingDouble(
                                            (Map.Entry<String, Post> e) -> -e.getValue().price())
                                    .thenComparing(Map.Entry::getKey))
                    .limit(query.limit())
                    .map(Map.Entry::getKey)
                    .toList();
        }

        Subscription subscribe(Query query) {
            queries.add(query);
            List<ResultRecord> result = new ArrayList<>();
            store.forEach(
                    (id, post) -> {
                        if (query.selects().test(post)) {
                            result.add(new ResultRecord(id, versions.get(id), ""));
                        }
                    });
            return subscription(query, nowMillis(), result);
        }
    }

    private static Subscription subscription(
            Query query, long evaluatedMillis, List<ResultRecord> result) {
        return new Subscription(
                "shop",
                "posts",
                query.key(),
                query.filter(),
                query.isSorted() ? "{\"price\": -1}" : "",
                query.limit(),
                0,
                query.keepsContent()
                        ? ResultRepresentation.OBJECT_LIST
                        : ResultRepresentation.ID_LIST,
                evaluatedMillis,
                result,
                evaluatedMillis);
    }

    private static List<Query> queries() {
        List<Query> queries = new ArrayList<>();
        for (int i = 0; i < AUTHORS; i++) {
            int n = i;
            queries.add(
                    new Query(
                            "/posts?author=" + n,
                            "{\"author\": " + n + "}",
                            post -> post.author() == n,
                            n % 2 == 0,
                            0));
            queries.add(
                    new Query(
                            "/posts?price=" + n,
                            "{\"price\": {\"$gte\": " + n + ", \"$lt\": " + (n + 2) + "}}",
                            post -> post.price() >= n && post.price() < n + 2,
                            n % 2 == 1,
                            0));
        }
        for (int i = 0; i < 7; i++) {
            int n = i;
            queries.add(
                    new Query(
                            "/posts?tag=" + n,
                            "{\"tags\": \"t"
                                    + n
                                    + "\", \"$or\": [{\"draft\": false}, {\"price\": {\"$gt\": 90}}]}",
                            post ->
                                    post.author() % 7 == n
                                            && (!post.isDraft() || post.price() > 90),
                            false,
                            0));
        }
        for (int i = 0; i < 5; i++) {
            int n = i;
            queries.add(
                    new Query(
                            "/top?tag=" + n,
                            "{\"tags\": \"t" + n + "\"}",
                            post -> post.author() % 7 == n,
                            true,
                            5));
        }
        queries.add(new Query("/posts?author=none", "{\"author\": -1}", post -> false, true, 0));
        return queries;
    }

    /** Takes notifications, and reconnects with its token after each poll. */
    private static final class Reader {
        private final KafkaSettings settings;
        private final List<Invalidation> taken = new ArrayList<>();
        private String token;

        Reader(KafkaSettings settings) {
            this.settings = settings;
            this.token = ResumeToken.start(PARTITIONS).text();
        }

        List<Invalidation> readOn() {
            try (InvalidationReader reader =
                    InvalidationReader.resume(settings, ResumeToken.parse(token))) {
                taken.addAll(reader.poll(Duration.ofMillis(500)));
                token = reader.token().text();
            }
            return taken;
        }

        Set<Told> told() {
            Set<Told> told = new HashSet<>();
            for (Invalidation invalidation : taken) {
                if (!isOfWindow(invalidation)) {
                    told.add(told(invalidation));
                }
            }
            return told;
        }

        static Told told(Invalidation invalidation) {
            return new Told(invalidation.key(), invalidation.record(), invalidation.version());
        }
    }

    private static boolean isOfWindow(Invalidation invalidation) {
        return invalidation.key().startsWith("/top");
    }

    private static void awaitAll(Oracle oracle, Reader reader) {
        await().atMost(PATIENCE)
                .until(
                        () -> {
                            reader.readOn();
                            return reader.told().containsAll(oracle.expected);
                        });
    }

    private static JobID startJob(
            KafkaSettings settings, int parallelism, Optional<String> savepoint) throws Exception {
        Configuration config = new Configuration();
        savepoint.ifPresent(path -> config.set(StateRecoveryOptions.SAVEPOINT_PATH, path));
        config.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), settings.bootstrapServers());
        config.set(KafkaOptions.TOPIC_PREFIX.option(), settings.topicPrefix());
        config.set(KafkaOptions.GROUP_ID.option(), settings.topicPrefix() + "test");
        config.setString("redis.host", redis.host());
        config.setString("redis.port", Integer.toString(redis.port()));
        config.setString("invalidation.mode", "SOFT");
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(1));
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        env.setParallelism(parallelism);
        InvalidationJob.define(env, InvalidationOptions.of(config));
        return env.executeAsync("invalidation").getJobID();
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> all)
            throws Exception {
        List<Future<?>> sent = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> each : all) {
            sent.add(producer.send(each));
        }
        for (Future<?> each : sent) {
            each.get();
        }
    }

    private static ProducerRecord<byte[], byte[]> entry(KafkaSettings settings, RecordWrite write) {
        return new ProducerRecord<>(
                settings.name(Topic.WRITES),
                ("shop/posts/" + write.record()).getBytes(StandardCharsets.UTF_8),
                Codecs.RECORD_WRITE.encode(write));
    }

    private static ProducerRecord<byte[], byte[]> entry(
            KafkaSettings settings, Subscription subscription) {
        return new ProducerRecord<>(
                settings.name(Topic.SUBSCRIPTIONS),
                ("shop/posts/" + subscription.key()).getBytes(StandardCharsets.UTF_8),
                Codecs.SUBSCRIPTION.encode(subscription));
    }

    private static void write(
            KafkaSettings settings,
            KafkaProducer<byte[], byte[]> producer,
            Oracle oracle,
            int count)
            throws Exception {
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(entry(settings, oracle.write()));
        }
        send(producer, all);
    }

    private static void awaitCheckpoint(JobID job) {
        long before = cluster.completedCheckpoints(job);
        await().atMost(PATIENCE).until(() -> cluster.completedCheckpoints(job) > before);
    }

    @Test
    void noInvalidationIsLostOrDoubledThroughAKillAndARescaledSavepoint(@TempDir Path savepoints)
            throws Exception {
        KafkaSettings settings = new KafkaSettings(kafka.bootstrapServers(), "exact.", Map.of());
        TopicAdmin.createMissing(settings, PARTITIONS, (short) 1);
        long now = System.currentTimeMillis();
        Oracle oracle = new Oracle(now - HOUR_MILLIS);
        Reader reader = new Reader(settings);
        try (RedisStaleKeys stale =
                        RedisStaleKeys.at(
                                RedisSettings.of(redis.host(), redis.port()),
                                "shop/posts",
                                FilterShape.ONE_ROUND_TRIP,
                                2 * HOUR_MILLIS);
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(
                                settings.forProducer(),
                                new ByteArraySerializer(),
                                new ByteArraySerializer())) {
            try (RedisStaleKeys.Batch batch = stale.batch()) {
                queries().forEach(q -> batch.reportRead(q.key(), now + HOUR_MILLIS, now));
            }
            List<ProducerRecord<byte[], byte[]>> subscriptions = new ArrayList<>();
            queries().forEach(q -> subscriptions.add(entry(settings, oracle.subscribe(q))));
            subscriptions.add(entry(settings, refused(oracle.nowMillis())));
            send(producer, subscriptions);
            JobID job = startJob(settings, 4, Optional.empty());
            // Replayed for a new query is only the newest version of each record.
            await().atMost(PATIENCE)
                    .until(
                            () ->
                                    cluster.metricSum(job, "queries")
                                            == (long) ROWS * oracle.queries.size());
            write(settings, producer, oracle, PHASE);
            awaitAll(oracle, reader);
            awaitCheckpoint(job);

            // Some of these are in the log when the TaskManager dies, but in no checkpoint.
            write(settings, producer, oracle, PHASE);
            await().atMost(PATIENCE)
                    .until(() -> reader.readOn().size() > oracle.expected.size() / 2);
            cluster.killTaskManager(0);
            write(settings, producer, oracle, PHASE);
            cluster.startTaskManager();
            await().atMost(PATIENCE).until(() -> cluster.restarts(job) > 0);
            awaitAll(oracle, reader);
            awaitCheckpoint(job);

            Query late = new Query("/posts?late", "{\"tags\": \"all\"}", post -> true, false, 0);
            Subscription lateOne = oracle.subscribe(late);
            write(settings, producer, oracle, REPLAYED);
            send(producer, List.of(entry(settings, lateOne)));
            awaitAll(oracle, reader);

            String savepoint = cluster.stopWithSavepoint(job, savepoints);
            write(settings, producer, oracle, PHASE);
            JobID rescaled = startJob(settings, 2, Optional.of(savepoint));
            awaitAll(oracle, reader);
            awaitCheckpoint(rescaled);
            reader.readOn();

            assertEachOnce(oracle, reader);
            assertWindowsWereInvalidated(oracle, reader);
            for (Query query : queries()) {
                boolean isInvalidated =
                        reader.taken.stream().anyMatch(i -> i.key().equals(query.key()));
                assertThat(stale.isStale(query.key(), System.currentTimeMillis()))
                        .as(query.key())
                        .isEqualTo(isInvalidated);
            }
            assertThat(stale.isStale("/posts?author=none", System.currentTimeMillis())).isFalse();
            cluster.cancel(rescaled);
        }
        assertDeadLetterNamesTheOperator(settings);
    }

    private static Subscription refused(long evaluatedMillis) {
        return subscription(
                new Query("/posts?where", "{\"$where\": \"true\"}", post -> true, true, 0),
                evaluatedMillis,
                List.of());
    }

    private static void assertEachOnce(Oracle oracle, Reader reader) {
        List<Told> told =
                reader.taken.stream().filter(i -> !isOfWindow(i)).map(Reader::told).toList();
        assertThat(told).doesNotHaveDuplicates();
        assertThat(new HashSet<>(told)).isEqualTo(oracle.expected);
        Map<Integer, Long> next = new HashMap<>();
        for (Invalidation invalidation : reader.taken) {
            assertThat(invalidation.sequence())
                    .isEqualTo(next.getOrDefault(invalidation.partition(), 0L));
            next.put(invalidation.partition(), invalidation.sequence() + 1);
            assertThat(invalidation.mode()).isEqualTo(InvalidationMode.SOFT);
            assertThat(invalidation.kind())
                    .isEqualTo(
                            invalidation.key().startsWith("/")
                                    ? CachedKind.QUERY
                                    : CachedKind.RECORD);
        }
        assertThat(next).hasSize(PARTITIONS);
    }

    /** Their steps depend on the order in which rows are merged; that they changed does not. */
    private static void assertWindowsWereInvalidated(Oracle oracle, Reader reader) {
        for (Query query : oracle.queries) {
            if (query.isSorted()) {
                assertThat(oracle.window(query)).as(query.key()).isNotEmpty();
                assertThat(reader.taken).as(query.key()).anyMatch(i -> i.key().equals(query.key()));
            }
        }
    }

    private static void assertDeadLetterNamesTheOperator(KafkaSettings settings) {
        try (TopicLog<DeadLetter> letters =
                new TopicLog<>(settings, Topic.DEAD_LETTERS, Codecs.DEAD_LETTER)) {
            await().atMost(PATIENCE).until(() -> !letters.readOn().isEmpty());
            assertThat(letters.readOn())
                    .anySatisfy(
                            letter -> {
                                assertThat(letter.topic())
                                        .isEqualTo(settings.name(Topic.SUBSCRIPTIONS));
                                assertThat(letter.detail()).contains("$where");
                            });
        }
    }
}
