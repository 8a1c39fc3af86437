package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.Effort;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.ttl.TtlJob;
import io.kipimo.operators.ttl.TtlShards;
import io.kipimo.redis.RedisSettings;
import io.kipimo.redis.RedisStaleKeys;
import io.kipimo.redis.RedisTtls;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.TtlEstimate;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ttl job with a real broker, a real Redis and a Flink cluster. The oracle keeps all events, sorts them by time,
 * and applies the formulas of the paper in one pass.
 */
@WithBackends
class TtlJobITCase {
    private static final int PARTITIONS = 4;
    private static final int SECONDS = 90;
    private static final int RECORDS = 30;
    private static final int QUERIES = 20;
    private static final String NOT_READ_AGAIN = "read-once";
    private static final long WRITE_WINDOW_MILLIS = 20_000;
    private static final long SHORTEST_MILLIS = 5;
    private static final long LONGEST_MILLIS = 40_000;
    private static final long FORGET_AFTER_MILLIS = 600_000;
    private static final double SMOOTHING = 0.7;

    private static Backends backends;
    private static FlinkCluster cluster;

    @BeforeAll
    static void start(Backends shared, FlinkCluster one) {
        backends = shared;
        cluster = one;
    }

    /** One event; exactly one of the last three is set. */
    private record Event(long atMillis, CacheRead read, RecordWrite write, Invalidation change) {}

    /** A minute and a half; no two events of a second share a millisecond. */
    private static final class Traffic {
        private final Random random = new Random(4711);
        private final List<List<String>> results = new ArrayList<>();
        private final List<Event> events = new ArrayList<>();
        private final long start;
        private long sequence;

        Traffic(long start) {
            this.start = start;
            for (int query = 0; query < QUERIES; query++) {
                results.add(IntStream.range(0, 1 + random.nextInt(6))
                        .mapToObj(i -> "r" + random.nextInt(RECORDS))
                        .distinct()
                        .toList());
            }
        }

        /** A read that is forgotten when the other traffic arrives. */
        List<Event> longBefore() {
            Event read = read(NOT_READ_AGAIN, CachedKind.QUERY, start - FORGET_AFTER_MILLIS - 300_000, List.of("r1"));
            events.add(read);
            return List.of(read);
        }

        List<Event> seconds(int from, int until) {
            return IntStream.range(from, until)
                    .mapToObj(this::second)
                    .flatMap(List::stream)
                    .toList();
        }

        private List<Event> second(int second) {
            List<Event> all = new ArrayList<>();
            long at = start + 1000L * second;
            for (int i = 0; i < 6; i++) {
                int query = random.nextInt(QUERIES);
                all.add(read("q" + query, CachedKind.QUERY, at += 20, results.get(query)));
            }
            for (int i = 0; i < 4; i++) {
                String record = "r" + random.nextInt(RECORDS);
                all.add(read(record, CachedKind.RECORD, at += 20, List.of()));
            }
            for (int i = 0; i < 5; i++) {
                // Lower numbers are more frequent.
                String record = "r" + random.nextInt(1 + random.nextInt(RECORDS));
                all.add(write(record, at += 20));
                for (int query = 0; query < QUERIES; query++) {
                    if (results.get(query).contains(record)) {
                        all.add(change("q" + query, record, ++at));
                    }
                }
            }
            events.addAll(all);
            return all;
        }

        private Event read(String key, CachedKind kind, long at, List<String> records) {
            long ttl = 1_000L + random.nextInt(10_000);
            return new Event(at, new CacheRead("shop", "things", key, kind, at, ttl, records), null, null);
        }

        private Event write(String record, long at) {
            return new Event(
                    at, null, new RecordWrite("shop", "things", record, WriteKind.UPDATE, at, at, "{\"a\": 1}"), null);
        }

        private Event change(String query, String record, long at) {
            return new Event(
                    at,
                    null,
                    null,
                    InvalidationBuilder.builder()
                            .service("shop")
                            .table("things")
                            .key(query)
                            .kind(CachedKind.QUERY)
                            .change(ResultChange.CHANGED)
                            .record(record)
                            .version(at)
                            .writtenMillis(at)
                            .mode(InvalidationMode.HARD)
                            .sequence(sequence++)
                            .build());
        }
    }

    /** TTLs after all events, and the state on the way. */
    private static final class Oracle {
        private final List<Event> sorted;
        private final Map<String, Double> means = new HashMap<>();
        private final Map<String, Boolean> learnt = new HashMap<>();
        private final Map<String, Long> firstReads = new HashMap<>();
        private final Map<String, Long> lastTouched = new HashMap<>();
        private final Map<String, Long> lastReads = new HashMap<>();
        private final Map<Integer, Long> starts = new HashMap<>();

        Oracle(List<Event> events) {
            sorted = new ArrayList<>(events);
            sorted.sort(Comparator.comparingLong(Event::atMillis));
        }

        private static long bounded(double mean) {
            return (long) Math.max(SHORTEST_MILLIS, Math.min(LONGEST_MILLIS, Math.log(2) * mean));
        }

        private double rate(String record, long now) {
            long pane = Math.floorDiv(now, WRITE_WINDOW_MILLIS);
            double writes = 0;
            double into = (double) Math.floorMod(now, WRITE_WINDOW_MILLIS) / WRITE_WINDOW_MILLIS;
            for (Event event : sorted) {
                if (event.write() != null
                        && event.atMillis() <= now
                        && event.write().record().equals(record)) {
                    long age = pane - Math.floorDiv(event.atMillis(), WRITE_WINDOW_MILLIS);
                    writes += age == 0 ? 1 : age == 1 ? 1 - into : 0;
                }
            }
            long told = Math.max(WRITE_WINDOW_MILLIS / 10, now - starts.get(TtlShards.of(record)));
            return writes * 1000 / Math.min(WRITE_WINDOW_MILLIS, told);
        }

        private void starts(Event event) {
            List<String> records = event.write() != null
                    ? List.of(event.write().record())
                    : event.read() == null
                            ? List.of()
                            : event.read().kind() == CachedKind.RECORD
                                    ? List.of(event.read().key())
                                    : event.read().recordKeys();
            records.forEach(r -> starts.putIfAbsent(TtlShards.of(r), event.atMillis()));
        }

        Map<String, Long> ttls() {
            for (Event event : sorted) {
                starts(event);
                long now = event.atMillis();
                if (event.change() != null) {
                    Long first = firstReads.remove(event.change().key());
                    if (first != null) {
                        String query = event.change().key();
                        double old = Math.min(means.get(query), LONGEST_MILLIS / Math.log(2));
                        means.put(query, SMOOTHING * old + (1 - SMOOTHING) * (now - first));
                        learnt.put(query, true);
                    }
                } else if (event.read() != null && event.read().kind() == CachedKind.QUERY) {
                    String query = event.read().key();
                    if (!learnt.containsKey(query)) {
                        double sum = 0;
                        for (String record : event.read().recordKeys()) {
                            sum += rate(record, now);
                        }
                        means.put(query, 1000 / sum);
                    }
                    firstReads.putIfAbsent(query, now);
                    lastReads.put(query, now);
                } else if (event.read() != null) {
                    lastReads.put(event.read().key(), now);
                    lastTouched.put(event.read().key(), now);
                } else {
                    lastTouched.put(event.write().record(), now);
                }
            }
            Map<String, Long> ttls = new TreeMap<>();
            means.forEach((query, mean) -> ttls.put(query, bounded(mean)));
            lastReads.keySet().stream()
                    .filter(key -> key.startsWith("r") && !key.equals(NOT_READ_AGAIN))
                    .forEach(record -> ttls.put(record, bounded(1000 / rate(record, lastTouched.get(record)))));
            ttls.remove(NOT_READ_AGAIN);
            return ttls;
        }
    }

    private static <T> ProducerRecord<byte[], byte[]> entry(
            KafkaSettings settings, Topic topic, int partition, Codec<T> codec, T record) {
        return new ProducerRecord<>(
                settings.name(topic), partition, null, "any".getBytes(StandardCharsets.UTF_8), codec.encode(record));
    }

    private static int partition(String key) {
        return Math.floorMod(key.hashCode(), PARTITIONS);
    }

    private static void send(KafkaSettings settings, List<Event> events) throws Exception {
        List<ProducerRecord<byte[], byte[]>> entries = new ArrayList<>();
        for (Event event : events) {
            if (event.read() != null) {
                entries.add(
                        entry(settings, Topic.READS, partition(event.read().key()), Codecs.CACHE_READ, event.read()));
            } else if (event.write() != null) {
                entries.add(entry(
                        settings, Topic.WRITES, partition(event.write().record()), Codecs.RECORD_WRITE, event.write()));
            } else {
                entries.add(entry(
                        settings,
                        Topic.INVALIDATIONS,
                        partition(event.change().key()),
                        Codecs.INVALIDATION,
                        event.change()));
            }
        }
        sendAll(settings, entries);
    }

    /** Advances event time in every partition, by events of another table. */
    private static void close(KafkaSettings settings, long atMillis) throws Exception {
        List<ProducerRecord<byte[], byte[]>> entries = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            entries.add(entry(
                    settings,
                    Topic.READS,
                    partition,
                    Codecs.CACHE_READ,
                    new CacheRead("shop", "other", "o", CachedKind.RECORD, atMillis, 0, List.of())));
            entries.add(entry(
                    settings,
                    Topic.WRITES,
                    partition,
                    Codecs.RECORD_WRITE,
                    new RecordWrite("shop", "other", "o", WriteKind.DELETE, 1, atMillis, "")));
            entries.add(entry(
                    settings,
                    Topic.INVALIDATIONS,
                    partition,
                    Codecs.INVALIDATION,
                    InvalidationBuilder.builder()
                            .service("shop")
                            .table("other")
                            .key("o")
                            .kind(CachedKind.RECORD)
                            .change(ResultChange.CHANGED)
                            .record("o")
                            .version(1)
                            .writtenMillis(atMillis)
                            .mode(InvalidationMode.HARD)
                            .build()));
            entries.add(entry(
                    settings,
                    Topic.CACHE_USES,
                    partition,
                    Codecs.CACHE_USE,
                    new CacheUse("shop", "other", "c", atMillis, CacheCounts.NONE)));
        }
        sendAll(settings, entries);
    }

    private static void sendAll(KafkaSettings settings, List<ProducerRecord<byte[], byte[]>> entries) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<?>> sent = new ArrayList<>();
            entries.forEach(entry -> sent.add(producer.send(entry)));
            for (Future<?> each : sent) {
                each.get();
            }
        }
    }

    private static JobID startJob(KafkaSettings settings, String backend, int parallelism, Optional<String> savepoint)
            throws Exception {
        Configuration config = new Configuration();
        config.set(StateBackendOptions.STATE_BACKEND, backend);
        savepoint.ifPresent(path -> config.set(StateRecoveryOptions.SAVEPOINT_PATH, path));
        config.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), settings.bootstrapServers());
        config.set(KafkaOptions.TOPIC_PREFIX.option(), settings.topicPrefix());
        config.set(KafkaOptions.GROUP_ID.option(), settings.topicPrefix() + "test");
        config.set(KafkaOptions.OUT_OF_ORDERNESS.option(), Duration.ofSeconds(1));
        // Without traffic, a partition must not make the other partitions' events late.
        config.setString("source.idleness", "10 min");
        config.setString("ttl.smoothing", Double.toString(SMOOTHING));
        config.setString("ttl.shortest", SHORTEST_MILLIS + " ms");
        config.setString("ttl.longest", LONGEST_MILLIS + " ms");
        config.setString("ttl.forget-after", FORGET_AFTER_MILLIS + " ms");
        config.setString("ttl.write-window", WRITE_WINDOW_MILLIS + " ms");
        config.setString("redis.host", backends.redisHost());
        config.setString("redis.port", Integer.toString(backends.redisPort()));
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(1));
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        env.setParallelism(parallelism);
        TtlJob.define(env, TtlJob.OPTIONS.read(config));
        return env.executeAsync("ttl").getJobID();
    }

    private static void awaitCheckpoint(JobID job) {
        long before = cluster.completedCheckpoints(job);
        await().atMost(PATIENCE).until(() -> cluster.completedCheckpoints(job) > before);
    }

    @Test
    void estimatesAndWindowsAreTheOraclesThroughAKillAndARescaledSavepoint(@TempDir Path savepoints) throws Exception {
        KafkaSettings settings = new KafkaSettings(backends.bootstrapServers(), "ttl.", Map.of());
        TopicAdmin.createMissing(settings, PARTITIONS, (short) 1);
        RedisSettings redisSettings = RedisSettings.of(backends.redisHost(), backends.redisPort());
        long now = System.currentTimeMillis();
        try (RedisStaleKeys stale =
                RedisStaleKeys.at(redisSettings, "shop/things", FilterShape.ONE_ROUND_TRIP, 3_600_000)) {
            stale.reportRead("q1", now + 3_600_000, now);
            var unused = stale.invalidate("q1", now + 1);
        }
        Traffic traffic = new Traffic((now / 20_000) * 20_000 - 20_000L * 10);
        sendAll(
                settings,
                List.of(
                        new ProducerRecord<>(settings.name(Topic.READS), "bad".getBytes(StandardCharsets.UTF_8)),
                        entry(
                                settings,
                                Topic.CACHE_USES,
                                0,
                                Codecs.CACHE_USE,
                                new CacheUse(
                                        "shop", "things", "c", traffic.start, new CacheCounts(9, 5, 2, 1, 1, 0)))));
        JobID job = startJob(settings, "hashmap", Effort.of(2, 4), Optional.empty());
        send(settings, traffic.longBefore());
        send(settings, traffic.seconds(0, SECONDS / 3));
        awaitCheckpoint(job);

        cluster.killOldestTaskManager();
        send(settings, traffic.seconds(SECONDS / 3, 2 * SECONDS / 3));
        cluster.replaceTaskManagers();
        JobID killed = job;
        await().atMost(PATIENCE).until(() -> cluster.restarts(killed) > 0);
        awaitCheckpoint(job);

        String savepoint = cluster.stopWithSavepoint(job, savepoints);
        send(settings, traffic.seconds(2 * SECONDS / 3, SECONDS));
        job = startJob(settings, "hashmap", Effort.of(1, 2), Optional.of(savepoint));
        close(settings, traffic.start + 1000L * SECONDS + 5_000);

        Map<String, Long> expected = new Oracle(traffic.events).ttls();
        assertThat(expected).hasSizeGreaterThan(RECORDS);
        try (TopicLog<TtlEstimate> ttls = new TopicLog<>(settings, Topic.TTLS, Codecs.TTL_ESTIMATE);
                TopicLog<CachingWindow> windows = new TopicLog<>(settings, Topic.CACHING, Codecs.CACHING_WINDOW);
                TopicLog<DeadLetter> letters = new TopicLog<>(settings, Topic.DEAD_LETTERS, Codecs.DEAD_LETTER);
                RedisTtls list = RedisTtls.at(redisSettings, 1)) {
            await().atMost(PATIENCE).untilAsserted(() -> assertTold(ttls.latest(), expected));
            assertThat(ttls.readOn()).as("published, and deleted later").anyMatch(estimate -> estimate.key()
                    .equals(NOT_READ_AGAIN));
            assertThat(ttls.latest()).doesNotContainKey("shop/things/" + NOT_READ_AGAIN);

            List<String> keys = List.copyOf(expected.keySet());
            await().atMost(PATIENCE).untilAsserted(() -> {
                List<OptionalLong> found = list.ttlMillis("shop", "things", keys);
                for (int i = 0; i < keys.size(); i++) {
                    assertThat(found.get(i))
                            .as(keys.get(i))
                            .hasValue(ttls.latest()
                                    .get("shop/things/" + keys.get(i))
                                    .ttlMillis());
                }
            });
            await().atMost(PATIENCE).untilAsserted(() -> assertWindows(windows.readOn(), traffic.events));
            // After a failure, an event may be read and rejected again.
            assertThat(letters.readOn()).isNotEmpty().allSatisfy(letter -> assertThat(letter.payload())
                    .isEqualTo("bad".getBytes(StandardCharsets.UTF_8)));
        }
        cluster.cancel(job);
    }

    /** The state learned before the savepoint is in the estimates after it. */
    @Tag("full")
    @Test
    void onRocksDbTheStateIsRestored(@TempDir Path savepoints) throws Exception {
        KafkaSettings settings = new KafkaSettings(backends.bootstrapServers(), "rocks.", Map.of());
        TopicAdmin.createMissing(settings, PARTITIONS, (short) 1);
        Traffic traffic = new Traffic((System.currentTimeMillis() / 20_000) * 20_000 - 200_000);
        JobID job = startJob(settings, "rocksdb", 2, Optional.empty());
        send(settings, traffic.seconds(0, 40));
        awaitCheckpoint(job);
        String savepoint = cluster.stopWithSavepoint(job, savepoints);
        send(settings, traffic.seconds(40, 41));
        job = startJob(settings, "rocksdb", 4, Optional.of(savepoint));
        close(settings, traffic.start + 45_000);

        Map<String, Long> expected = new Oracle(traffic.events).ttls();
        try (TopicLog<TtlEstimate> ttls = new TopicLog<>(settings, Topic.TTLS, Codecs.TTL_ESTIMATE)) {
            await().atMost(PATIENCE).untilAsserted(() -> assertTold(ttls.latest(), expected));
            assertThat(ttls.latest().values())
                    .as("learned across the savepoint, including hits")
                    .anyMatch(estimate -> estimate.invalidations() > 5)
                    .anyMatch(estimate -> estimate.hitsSavedPerSecond() > 0);
        }
        cluster.cancel(job);
    }

    /** Changes of at most a tenth are not republished. */
    private static void assertTold(Map<String, TtlEstimate> latest, Map<String, Long> expected) {
        expected.forEach((key, ttl) -> {
            TtlEstimate estimate = latest.get("shop/things/" + key);
            assertThat(estimate).as(key).isNotNull();
            assertThat((double) Math.abs(estimate.ttlMillis() - ttl))
                    .as("%s: %s, expected %s", key, estimate, ttl)
                    .isLessThanOrEqualTo(0.1 * estimate.ttlMillis() + 1);
        });
        assertThat(latest.keySet()).as("forgotten").noneMatch(k -> k.endsWith(NOT_READ_AGAIN));
    }

    private static void assertWindows(List<CachingWindow> all, List<Event> events) {
        Map<Long, CachingWindow> byEnd = new TreeMap<>();
        all.stream()
                .filter(window -> window.table().equals("things"))
                .forEach(window -> byEnd.put(window.endMillis(), window));
        Map<Long, long[]> expected = new TreeMap<>();
        for (Event event : events) {
            long end = Math.floorDiv(event.atMillis(), 10_000) * 10_000 + 10_000;
            long[] counts = expected.computeIfAbsent(end, e -> new long[3]);
            counts[event.read() != null ? 0 : event.write() != null ? 1 : 2]++;
        }
        assertThat(byEnd.keySet()).isEqualTo(expected.keySet());
        expected.forEach((end, counts) -> {
            CachingWindow window = byEnd.get(end);
            assertThat(List.of(window.originReads(), window.writes(), window.invalidations()))
                    .as("window to %s", end)
                    .containsExactly(counts[0], counts[1], counts[2]);
            assertThat(window.handedOut().orElseThrow().count()).isEqualTo(counts[0]);
            assertThat(window.filter().orElseThrow().staleKeys()).isEqualTo(1);
        });
        assertThat(byEnd.values().stream().map(CachingWindow::use).flatMap(Optional::stream))
                .containsExactly(new CacheCounts(9, 5, 2, 1, 1, 0));
    }
}
