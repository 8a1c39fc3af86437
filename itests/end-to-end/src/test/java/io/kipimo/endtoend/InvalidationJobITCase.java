package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.Effort;
import io.kipimo.core.invalidation.frontier.ResumeToken;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.embedded.redis.EmbeddedRedis;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.invalidation.InvalidationJob;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.redis.RedisSettings;
import io.kipimo.redis.RedisStaleKeys;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.ResultRecord;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.CachingReports;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.invalidation.InvalidationReader;
import io.kipimo.sdk.invalidation.QuerySubscriptions;
import io.kipimo.sdk.invalidation.QuerySubscriptions.Standing;
import io.kipimo.sdk.kafka.KafkaSettings;
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
import java.util.concurrent.CopyOnWriteArrayList;
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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/**
 * The invalidation job with a real broker, a real Redis and a Flink cluster. Redis and a TaskManager are killed during
 * the run. The oracle tests every query against every write by predicates in Java. A reader that reconnects after each
 * poll must receive exactly the oracle's notifications, each once.
 */
@WithBackends
class InvalidationJobITCase {
    private static final int PARTITIONS = 4;
    private static final int ROWS = 2;
    private static final int RECORDS = 400;
    private static final int AUTHORS = 40;
    private static final int PHASE = Effort.of(300, 600);
    private static final int REPLAYED = 50;
    private static final int STEPS = Effort.of(150, 400);

    /** How often Flink gathers its metrics. */
    private static final Duration METRICS = Duration.ofSeconds(1);

    private static final long HOUR_MILLIS = 3_600_000;

    /** Greatest lag of the frontier behind the watermark. */
    private static final long MARK_MILLIS = 1_000;

    /** Time within which every partition has a write. */
    private static final long LAST_WRITES_MILLIS = 100;

    private static Backends backends;
    private static RedisSettings redis;
    private static FlinkCluster cluster;

    @BeforeAll
    static void start(Backends shared, FlinkCluster one) {
        backends = shared;
        redis = RedisSettings.of(shared.redisHost(), shared.redisPort());
        cluster = one;
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
     * @param keepsContent whether the cached list contains objects, so that a change of a record's content makes it
     *     stale
     */
    private record Query(String key, String filter, Predicate<Post> selects, boolean keepsContent, int limit) {
        boolean isSorted() {
            return limit > 0;
        }
    }

    /** One notification, independent of its position. */
    private record Told(String key, String record, long version) {}

    /** The database, all queries, and the expected notifications of every write. */
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

        /** Id of the record that a write changes. */
        static String record(int write) {
            return "post-" + write * 7 % RECORDS;
        }

        RecordWrite write() {
            String id = record(writes);
            Post before = store.get(id);
            Post after = before != null && random.nextInt(8) == 0
                    ? null
                    : new Post(random.nextInt(AUTHORS), random.nextInt(1_000) / 10.0, random.nextInt(4) == 0);
            long version = versions.merge(id, 1L, Long::sum);
            RecordWrite write = new RecordWrite(
                    "shop",
                    "posts",
                    id,
                    after == null ? WriteKind.DELETE : before == null ? WriteKind.INSERT : WriteKind.UPDATE,
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

        /** Ids in the sorted query's current result. */
        List<String> window(Query query) {
            return store.entrySet().stream()
                    .filter(e -> query.selects().test(e.getValue()))
                    .sorted(Comparator.comparingDouble(
                                    (Map.Entry<String, Post> e) -> -e.getValue().price())
                            .thenComparing(Map.Entry::getKey))
                    .limit(query.limit())
                    .map(Map.Entry::getKey)
                    .toList();
        }

        Subscription subscribe(Query query) {
            queries.add(query);
            List<ResultRecord> result = new ArrayList<>();
            store.forEach((id, post) -> {
                if (query.selects().test(post)) {
                    result.add(new ResultRecord(id, versions.get(id), ""));
                }
            });
            return subscription(query, nowMillis(), result);
        }
    }

    private static Subscription subscription(Query query, long evaluatedMillis, List<ResultRecord> result) {
        return SubscriptionBuilder.builder()
                .service("shop")
                .table("posts")
                .key(query.key())
                .filter(query.filter())
                .sort(query.isSorted() ? "{\"price\": -1}" : "")
                .limit(query.limit())
                .representation(query.keepsContent() ? ResultRepresentation.OBJECT_LIST : ResultRepresentation.ID_LIST)
                .evaluatedMillis(evaluatedMillis)
                .result(result)
                .registeredMillis(evaluatedMillis)
                .build();
    }

    private static List<Query> queries() {
        List<Query> queries = new ArrayList<>();
        for (int i = 0; i < AUTHORS; i++) {
            int n = i;
            queries.add(new Query(
                    "/posts?author=" + n, "{\"author\": " + n + "}", post -> post.author() == n, n % 2 == 0, 0));
            queries.add(new Query(
                    "/posts?price=" + n,
                    "{\"price\": {\"$gte\": " + n + ", \"$lt\": " + (n + 2) + "}}",
                    post -> post.price() >= n && post.price() < n + 2,
                    n % 2 == 1,
                    0));
        }
        for (int i = 0; i < 7; i++) {
            int n = i;
            queries.add(new Query(
                    "/posts?tag=" + n,
                    "{\"tags\": \"t" + n + "\", \"$or\": [{\"draft\": false}, {\"price\": {\"$gt\": 90}}]}",
                    post -> post.author() % 7 == n && (!post.isDraft() || post.price() > 90),
                    false,
                    0));
        }
        for (int i = 0; i < 5; i++) {
            int n = i;
            queries.add(
                    new Query("/top?tag=" + n, "{\"tags\": \"t" + n + "\"}", post -> post.author() % 7 == n, true, 5));
        }
        queries.add(new Query("/posts?author=none", "{\"author\": -1}", post -> false, true, 0));
        return queries;
    }

    /** Receives notifications, and reconnects with its token after each poll. */
    private static final class Reader {
        private final KafkaSettings settings;
        private final List<Invalidation> taken = new ArrayList<>();
        private String token;

        Reader(KafkaSettings settings) {
            this.settings = settings;
            this.token = ResumeToken.start(PARTITIONS).text();
        }

        List<Invalidation> readOn() {
            try (InvalidationReader reader = InvalidationReader.resume(settings, ResumeToken.parse(token))) {
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
        await().atMost(PATIENCE).until(() -> {
            reader.readOn();
            return reader.told().containsAll(oracle.expected);
        });
    }

    private static JobID startJob(
            KafkaSettings settings,
            int parallelism,
            Optional<String> savepoint,
            RedisSettings staleKeys,
            Map<String, String> options)
            throws Exception {
        Configuration config = Configuration.fromMap(options);
        savepoint.ifPresent(path -> config.set(StateRecoveryOptions.SAVEPOINT_PATH, path));
        config.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), settings.bootstrapServers());
        config.set(KafkaOptions.TOPIC_PREFIX.option(), settings.topicPrefix());
        config.set(KafkaOptions.GROUP_ID.option(), settings.topicPrefix() + "test");
        config.setString("redis.host", staleKeys.host());
        config.setString("redis.port", Integer.toString(staleKeys.port()));
        config.setString("invalidation.mode", "SOFT");
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(1));
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        env.setParallelism(parallelism);
        InvalidationJob.define(env, InvalidationJob.OPTIONS.read(config));
        return env.executeAsync("invalidation").getJobID();
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> all)
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

    private static ProducerRecord<byte[], byte[]> entry(KafkaSettings settings, Subscription subscription) {
        return new ProducerRecord<>(
                settings.name(Topic.SUBSCRIPTIONS),
                ("shop/posts/" + subscription.key()).getBytes(StandardCharsets.UTF_8),
                Codecs.SUBSCRIPTION.encode(subscription));
    }

    private static void write(KafkaSettings settings, KafkaProducer<byte[], byte[]> producer, Oracle oracle, int count)
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
    void noInvalidationIsLostOrDoubledThroughAKillAndARescaledSavepoint(@TempDir Path savepoints) throws Exception {
        KafkaSettings settings = new KafkaSettings(backends.bootstrapServers(), "exact.", Map.of());
        TopicAdmin.createMissing(settings, PARTITIONS, (short) 1);
        long now = System.currentTimeMillis();
        Oracle oracle = new Oracle(now - HOUR_MILLIS);
        Reader reader = new Reader(settings);
        try (EmbeddedRedis home = EmbeddedRedis.start();
                RedisStaleKeys stale = staleKeys(home);
                KafkaProducer<byte[], byte[]> producer = producer(settings)) {
            try (RedisStaleKeys.Batch batch = stale.batch()) {
                queries().forEach(q -> batch.reportRead(q.key(), now + HOUR_MILLIS, now));
            }
            List<ProducerRecord<byte[], byte[]>> subscriptions = new ArrayList<>();
            queries().forEach(q -> subscriptions.add(entry(settings, oracle.subscribe(q))));
            subscriptions.add(entry(settings, refused(oracle.nowMillis())));
            send(producer, subscriptions);
            RedisSettings redisOfThis = RedisSettings.of(home.host(), home.port());
            JobID job = startJob(settings, Effort.of(2, 4), Optional.empty(), redisOfThis, Map.of());
            // For a new query, only the newest version of each record is replayed.
            await().atMost(PATIENCE)
                    .pollInterval(METRICS)
                    .until(() -> cluster.metricSum(job, "queries") == (long) ROWS * oracle.queries.size());
            write(settings, producer, oracle, PHASE);
            awaitAll(oracle, reader);
            awaitCheckpoint(job);

            // When the TaskManager dies, some of these writes are in the log but in no checkpoint.
            write(settings, producer, oracle, PHASE);
            await().atMost(PATIENCE).until(() -> reader.readOn().size() > oracle.expected.size() / 2);
            cluster.killOldestTaskManager();
            try (RedisStaleKeys.Batch batch = stale.batch()) {
                for (int i = 0; i < RECORDS; i++) {
                    batch.reportRead("post-" + i, now + HOUR_MILLIS, now);
                }
            }
            // Redis comes back with what it has now, so with the keys of every checkpoint.
            save(home);
            home.kill();
            int firstWhileAway = oracle.writes;
            write(settings, producer, oracle, PHASE);
            cluster.replaceTaskManagers();
            await("the job has lost both").atMost(PATIENCE).until(() -> cluster.restarts(job) > 1);
            home.revive();
            awaitAll(oracle, reader);
            awaitCheckpoint(job);
            for (int write = firstWhileAway; write < oracle.writes; write++) {
                assertThat(stale.isStale(Oracle.record(write), now))
                        .as("%d", write)
                        .isTrue();
            }

            Query late = new Query("/posts?late", "{\"tags\": \"all\"}", post -> true, false, 0);
            Subscription lateOne = oracle.subscribe(late);
            write(settings, producer, oracle, REPLAYED);
            send(producer, List.of(entry(settings, lateOne)));
            awaitAll(oracle, reader);

            String savepoint = cluster.stopWithSavepoint(job, savepoints);
            write(settings, producer, oracle, PHASE);
            JobID rescaled = startJob(settings, Effort.of(1, 2), Optional.of(savepoint), redisOfThis, Map.of());
            awaitAll(oracle, reader);
            awaitCheckpoint(rescaled);
            reader.readOn();

            assertEachOnce(oracle, reader);
            assertThat(reader.taken)
                    .as("a dead-lettered query is reported as refused")
                    .filteredOn(i -> i.change() == ResultChange.REFUSED)
                    .extracting(Invalidation::key)
                    .containsOnly("/posts?where");
            assertTheFrontierFollows(settings, oracle.nowMillis());
            assertWindowsWereInvalidated(oracle, reader);
            for (Query query : queries()) {
                boolean isInvalidated =
                        reader.taken.stream().anyMatch(i -> i.key().equals(query.key()));
                assertThat(stale.isStale(query.key(), System.currentTimeMillis()))
                        .as(query.key())
                        .isEqualTo(isInvalidated);
            }
            assertThat(stale.isStale("/posts?author=none", System.currentTimeMillis()))
                    .isFalse();
            cluster.cancel(rescaled);
        }
        assertDeadLetterNamesTheOperator(settings);
    }

    /**
     * All matches of a query are in one cell, and all writes in one partition. So each step of a sorted and limited
     * result is known. The test uses RocksDB and a savepoint.
     */
    @Tag("full")
    @Test
    void sortedAndLimitedResultsAreToldStepByStep(@TempDir Path savepoints) throws Exception {
        KafkaSettings settings = new KafkaSettings(backends.bootstrapServers(), "sorted.", Map.of());
        TopicAdmin.createMissing(settings, PARTITIONS, (short) 1);
        SortedOracle oracle = new SortedOracle(System.currentTimeMillis() - HOUR_MILLIS);
        Map<String, String> options =
                Map.of("invalidation.rows", "1", "invalidation.slack", "1000", "state.backend.type", "rocksdb");
        try (KafkaProducer<byte[], byte[]> producer = producer(settings)) {
            List<ProducerRecord<byte[], byte[]>> subscriptions = new ArrayList<>();
            for (SortedQuery query : SortedOracle.QUERIES) {
                subscriptions.add(entry(settings, oracle.subscribe(query)));
            }
            send(producer, subscriptions);
            JobID job = startJob(settings, 2, Optional.empty(), redis, options);
            await().atMost(PATIENCE)
                    .pollInterval(METRICS)
                    .until(() -> cluster.metricSum(job, "queries") == (long) SortedOracle.QUERIES.size());
            Reader reader = new Reader(settings);
            oracle.write(settings, producer, STEPS);
            awaitSteps(oracle, reader);

            String savepoint = cluster.stopWithSavepoint(job, savepoints);
            oracle.write(settings, producer, STEPS);
            JobID restored = startJob(settings, 1, Optional.of(savepoint), redis, options);
            awaitSteps(oracle, reader);
            cluster.cancel(restored);
        }
    }

    private static void awaitSteps(SortedOracle oracle, Reader reader) {
        String last = oracle.lastWrite();
        await().atMost(PATIENCE)
                .until(() -> reader.readOn().stream().anyMatch(i -> (i.key() + i.version()).equals(last)));
        await().atMost(PATIENCE).untilAsserted(() -> {
            reader.readOn();
            for (SortedQuery query : SortedOracle.QUERIES) {
                assertThat(reader.taken)
                        .filteredOn(i -> i.key().equals(query.key()))
                        .extracting(i -> new Step(i.record(), i.version(), i.change()))
                        .as(query.key())
                        .containsExactlyElementsOf(oracle.steps.get(query.key()));
            }
        });
    }

    /** Effect of a write on a result. */
    private record Step(String record, long version, ResultChange change) {}

    /** @param isCheapestFirst ascending by price; else descending. Records of the same price are sorted by id */
    private record SortedQuery(String key, int tag, boolean isCheapestFirst, int offset, int limit, boolean isOfIds) {}

    /** The database, and each expected step of each sorted result. */
    private static final class SortedOracle {
        static final List<SortedQuery> QUERIES = List.of(
                new SortedQuery("/cheapest", 0, true, 0, 5, false),
                new SortedQuery("/dearest ids", 0, false, 0, 5, true),
                new SortedQuery("/second page", 1, true, 4, 4, false),
                new SortedQuery("/second page of ids", 1, false, 4, 4, true),
                new SortedQuery("/sorted whole", 2, true, 0, 0, false));

        private final Random random = new Random(12);
        private final long startMillis;
        private final Map<String, Post> store = new TreeMap<>();
        private final Map<String, Long> versions = new HashMap<>();
        private final Map<String, List<Step>> steps = new HashMap<>();
        private String last = "";
        private int writes;

        SortedOracle(long startMillis) {
            this.startMillis = startMillis;
        }

        Subscription subscribe(SortedQuery query) {
            steps.put(query.key(), new ArrayList<>());
            return SubscriptionBuilder.builder()
                    .service("shop")
                    .table("posts")
                    .key(query.key())
                    .filter("{\"tags\": \"t" + query.tag() + "\"}")
                    .sort("{\"price\": " + (query.isCheapestFirst() ? 1 : -1) + "}")
                    .limit(query.limit())
                    .offset(query.offset())
                    .representation(query.isOfIds() ? ResultRepresentation.ID_LIST : ResultRepresentation.OBJECT_LIST)
                    .evaluatedMillis(startMillis)
                    .registeredMillis(startMillis)
                    .build();
        }

        void write(KafkaSettings settings, KafkaProducer<byte[], byte[]> producer, int count) throws Exception {
            List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(new ProducerRecord<>(
                        settings.name(Topic.WRITES), 0, null, Codecs.RECORD_WRITE.encode(write())));
            }
            send(producer, all);
        }

        private RecordWrite write() {
            String id = "post-" + random.nextInt(60);
            boolean isDeleted = store.containsKey(id) && random.nextInt(5) == 0;
            Post post = new Post(random.nextInt(AUTHORS), random.nextInt(40) / 4.0, false);
            Map<String, List<String>> before = windows();
            long version = versions.merge(id, 1L, Long::sum);
            if (isDeleted) {
                store.remove(id);
            } else {
                store.put(id, post);
            }
            for (SortedQuery query : QUERIES) {
                change(query, before.get(query.key()), window(query), id)
                        .ifPresent(c -> steps.get(query.key()).add(new Step(id, version, c)));
            }
            last = id + version;
            return new RecordWrite(
                    "shop",
                    "posts",
                    id,
                    isDeleted ? WriteKind.DELETE : WriteKind.UPDATE,
                    version,
                    startMillis + writes++,
                    isDeleted ? "" : post.json());
        }

        /** Key and version of the record. */
        String lastWrite() {
            return last;
        }

        private Map<String, List<String>> windows() {
            Map<String, List<String>> windows = new HashMap<>();
            QUERIES.forEach(query -> windows.put(query.key(), window(query)));
            return windows;
        }

        private List<String> window(SortedQuery query) {
            Comparator<Map.Entry<String, Post>> byPrice =
                    Comparator.comparingDouble(e -> e.getValue().price());
            return store.entrySet().stream()
                    .filter(e -> e.getValue().author() % 7 == query.tag())
                    .sorted((query.isCheapestFirst() ? byPrice : byPrice.reversed()).thenComparing(Map.Entry::getKey))
                    .skip(query.offset())
                    .limit(query.limit() == 0 ? Long.MAX_VALUE : query.limit())
                    .map(Map.Entry::getKey)
                    .toList();
        }

        private static Optional<ResultChange> change(
                SortedQuery query, List<String> before, List<String> after, String written) {
            boolean was = before.contains(written);
            boolean is = after.contains(written);
            if (was && is && before.indexOf(written) == after.indexOf(written)) {
                return query.isOfIds() ? Optional.empty() : Optional.of(ResultChange.CHANGED);
            }
            if (was && is) {
                return Optional.of(ResultChange.MOVED);
            }
            if (was || is) {
                return Optional.of(is ? ResultChange.ADDED : ResultChange.REMOVED);
            }
            // The number of skipped records changed, so other records move into the window or out
            // of it.
            if (before.equals(after)) {
                return Optional.empty();
            }
            return Optional.of(before.containsAll(after) ? ResultChange.REMOVED : ResultChange.ADDED);
        }
    }

    @Tag("full")
    @Test
    void noStaleKeyIsLostThatCameWhileRedisWasAway() throws Exception {
        KafkaSettings settings = new KafkaSettings(backends.bootstrapServers(), "away.", Map.of());
        TopicAdmin.createMissing(settings, PARTITIONS, (short) 1);
        long now = System.currentTimeMillis();
        Oracle oracle = new Oracle(now - HOUR_MILLIS);
        try (EmbeddedRedis home = EmbeddedRedis.start();
                RedisStaleKeys stale = staleKeys(home);
                KafkaProducer<byte[], byte[]> producer = producer(settings)) {
            for (int i = 0; i < RECORDS; i++) {
                stale.reportRead("post-" + i, now + HOUR_MILLIS, now);
            }
            save(home);
            JobID job = startJob(settings, 2, Optional.empty(), RedisSettings.of(home.host(), home.port()), Map.of());
            write(settings, producer, oracle, 1);
            await().atMost(PATIENCE).until(() -> stale.staleKeys(now) == 1);
            save(home);
            awaitCheckpoint(job);

            home.kill();
            write(settings, producer, oracle, RECORDS / 2 - 1);
            await().atMost(PATIENCE).until(() -> cluster.restarts(job) > 0);
            home.revive();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(stale.staleKeys(now)).isEqualTo(RECORDS / 2));
            for (String written : oracle.versions.keySet()) {
                assertThat(stale.isStale(written, now)).as(written).isTrue();
            }
            cluster.cancel(job);
        }
    }

    /** The job has capacity for one query; the origin subscribes through the SDK. */
    @Tag("full")
    @Test
    void aRefusedQueryIsSubscribedAgainInItsTimeAndWatchedIfThereIsRoomThen() throws Exception {
        KafkaSettings settings = new KafkaSettings(backends.bootstrapServers(), "full.", Map.of());
        TopicAdmin.createMissing(settings, PARTITIONS, (short) 1);
        Query first = queries().get(0);
        Query second = queries().get(4);
        Reader reader = new Reader(settings);
        List<String> subscribed = new CopyOnWriteArrayList<>();
        try (CachingReports reports = CachingReports.connect(settings);
                KafkaProducer<byte[], byte[]> producer = producer(settings)) {
            QuerySubscriptions origin = QuerySubscriptions.to(subscription -> {
                subscribed.add(subscription.key());
                return reports.subscribe(subscription);
            });
            Map<String, String> roomForOne = Map.of(
                    "invalidation.budget", "1",
                    "invalidation.columns", "1",
                    "invalidation.rows", "1");
            JobID job = startJob(settings, 1, Optional.empty(), redis, roomForOne);
            assertThat(standing(origin, first)).isEqualTo(Standing.WATCHED);
            await().atMost(PATIENCE).until(() -> cluster.metricSum(job, "queries") == 1);
            standing(origin, second);
            await().atMost(PATIENCE)
                    .until(() -> refusal(reader.readOn(), second).isPresent());
            Invalidation refused = refusal(reader.taken, second).orElseThrow();
            long heardMillis = System.currentTimeMillis();
            assertThat(origin.notified(refused))
                    .as("cached results may be stale")
                    .isTrue();

            producer.send(end(settings, first)).get();
            await().atMost(PATIENCE).until(() -> cluster.metricSum(job, "queries") == 0);
            await().atMost(PATIENCE).until(() -> standing(origin, second) == Standing.WATCHED);
            assertThat(System.currentTimeMillis() - heardMillis)
                    .as("subscribed again no earlier than allowed")
                    .isGreaterThanOrEqualTo(refused.retryAfterMillis());
            assertThat(subscribed).containsExactly(first.key(), second.key(), second.key());
            await().atMost(PATIENCE).until(() -> cluster.metricSum(job, "queries") == 1);
            Oracle oracle = new Oracle(System.currentTimeMillis());
            oracle.queries.add(second);
            write(settings, producer, oracle, AUTHORS * 4);
            assertThat(oracle.expected).as("a write that it selects").anyMatch(isOf(second));
            awaitAll(oracle, reader);
            assertThat(reader.told()).noneMatch(isOf(first));
            cluster.cancel(job);
        }
    }

    private static Standing standing(QuerySubscriptions origin, Query query) {
        return origin.watch(
                        "shop/posts/" + query.key(),
                        ResultRepresentation.OBJECT_LIST,
                        () -> subscription(query, System.currentTimeMillis(), List.of()))
                .toCompletableFuture()
                .join();
    }

    private static Optional<Invalidation> refusal(List<Invalidation> taken, Query query) {
        return taken.stream()
                .filter(i -> i.key().equals(query.key()))
                .filter(i -> i.change() == ResultChange.REFUSED)
                .findFirst();
    }

    private static Predicate<Told> isOf(Query query) {
        return told -> told.key().equals(query.key()) && !told.record().isEmpty();
    }

    private static ProducerRecord<byte[], byte[]> end(KafkaSettings settings, Query query) {
        return new ProducerRecord<>(
                settings.name(Topic.SUBSCRIPTIONS),
                ("shop/posts/" + query.key()).getBytes(StandardCharsets.UTF_8),
                null);
    }

    private static RedisStaleKeys staleKeys(EmbeddedRedis home) {
        RedisSettings at = RedisSettings.of(home.host(), home.port());
        return RedisStaleKeys.at(at, "shop/posts", FilterShape.ONE_ROUND_TRIP, 2 * HOUR_MILLIS);
    }

    private static void save(EmbeddedRedis home) {
        try (Jedis client = new Jedis(home.host(), home.port())) {
            assertThat(client.save()).isEqualTo("OK");
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(KafkaSettings settings) {
        return new KafkaProducer<>(settings.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static Subscription refused(long evaluatedMillis) {
        return subscription(
                new Query("/posts?where", "{\"$where\": \"true\"}", post -> true, true, 0), evaluatedMillis, List.of());
    }

    private static void assertEachOnce(Oracle oracle, Reader reader) {
        List<Told> told = reader.taken.stream()
                .filter(i -> !isOfWindow(i) && i.change() != ResultChange.REFUSED)
                .map(Reader::told)
                .toList();
        assertThat(told).doesNotHaveDuplicates();
        assertThat(new HashSet<>(told)).isEqualTo(oracle.expected);
        // Marks use sequence numbers between these. The reader itself checks that none is missing.
        Map<Integer, Long> next = new HashMap<>();
        for (Invalidation invalidation : reader.taken) {
            assertThat(invalidation.sequence()).isGreaterThanOrEqualTo(next.getOrDefault(invalidation.partition(), 0L));
            next.put(invalidation.partition(), invalidation.sequence() + 1);
            assertThat(invalidation.mode()).isEqualTo(InvalidationMode.SOFT);
            assertThat(invalidation.kind())
                    .isEqualTo(invalidation.key().startsWith("/") ? CachedKind.QUERY : CachedKind.RECORD);
        }
        assertThat(next).hasSize(PARTITIONS);
    }

    /** The frontier advances in each partition, even without recent notifications. */
    private static void assertTheFrontierFollows(KafkaSettings settings, long newestMillis) {
        long waited = KafkaOptions.OUT_OF_ORDERNESS.option().defaultValue().toMillis();
        long reached = newestMillis - waited - MARK_MILLIS - LAST_WRITES_MILLIS;
        try (InvalidationReader reader = InvalidationReader.fromBeginning(settings)) {
            await().atMost(PATIENCE).until(() -> {
                var unused = reader.poll(Duration.ofMillis(500));
                return reader.frontier().completeBefore() >= reached;
            });
        }
    }

    /** The steps depend on the order in which rows are merged, so only the fact of a change is checked. */
    private static void assertWindowsWereInvalidated(Oracle oracle, Reader reader) {
        for (Query query : oracle.queries) {
            if (query.isSorted()) {
                assertThat(oracle.window(query)).as(query.key()).isNotEmpty();
                assertThat(reader.taken).as(query.key()).anyMatch(i -> i.key().equals(query.key()));
            }
        }
    }

    private static void assertDeadLetterNamesTheOperator(KafkaSettings settings) {
        try (TopicLog<DeadLetter> letters = new TopicLog<>(settings, Topic.DEAD_LETTERS, Codecs.DEAD_LETTER)) {
            await().atMost(PATIENCE).until(() -> !letters.readOn().isEmpty());
            assertThat(letters.readOn()).anySatisfy(letter -> {
                assertThat(letter.topic()).isEqualTo(settings.name(Topic.SUBSCRIPTIONS));
                assertThat(letter.detail()).contains("$where");
            });
        }
    }
}
