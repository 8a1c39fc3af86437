package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.Effort;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.tails.LatencyStatistics;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.schemas.tails.Vantage;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import io.kipimo.sdk.ServerReports;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tails job with a real broker and a Flink cluster, compared with the sorted list of all single latencies. Windows
 * are 10 s long, and 40 s every 20 s.
 */
@WithBackends
class TailsJobITCase {
    private static final int PARTITIONS = 4;
    private static final int SECONDS = 60;
    private static final int REQUESTS = 60;
    private static Backends backends;
    private static FlinkCluster cluster;

    @BeforeAll
    static void start(Backends shared, FlinkCluster one) {
        backends = shared;
        cluster = one;
    }

    private record Server(String tier, String component, String name, Vantage vantage) {
        String key() {
            return "shop/" + tier + '/' + component + '/' + name;
        }

        /** Every scope that the latencies of a server belong to. */
        List<String> scopes() {
            return vantage == Vantage.ARBITER
                    ? List.of("ARBITER shop/" + tier)
                    : List.of(
                            "SERVER " + key(),
                            "COMPONENT shop/" + tier + '/' + component,
                            "TIER shop/" + tier,
                            "SERVICE shop");
        }
    }

    private static List<Server> servers() {
        List<Server> servers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            servers.add(new Server("front", "front", "front-" + i, Vantage.SERVER));
            servers.add(new Server("index", "index", "arbiter-" + i, Vantage.ARBITER));
        }
        for (int component = 0; component < 3; component++) {
            for (int i = 0; i < 3; i++) {
                servers.add(new Server("index", "shard-" + component, "shard-" + component + '-' + i, Vantage.SERVER));
            }
        }
        return servers;
    }

    /** Window of one scope, kind and end. */
    private record Window(String scope, TailWindowKind kind, long endMillis) {
        static Window of(TailWindow w) {
            return new Window(w.level() + " " + w.scope(), w.kind(), w.endMillis());
        }
    }

    /** The input, and every latency in it. */
    private static final class Traffic {
        private final long start;
        private final Random random = new Random(4711);
        private final Map<Window, List<Long>> latencies = new HashMap<>();

        Traffic(long start) {
            this.start = start;
        }

        List<ServerObservation> seconds(int from, int until) {
            return IntStream.range(from, until)
                    .mapToObj(this::second)
                    .flatMap(List::stream)
                    .toList();
        }

        private List<ServerObservation> second(int second) {
            List<ServerObservation> all = new ArrayList<>();
            int number = 0;
            for (Server server : servers()) {
                long scale = 2_000L * ++number;
                long[] micros = LongStream.range(0, REQUESTS)
                        .map(i -> (long) (scale * Math.exp(1.5 * random.nextGaussian())))
                        .toArray();
                ServerObservation observation = observation(server, start + 1000L * second, micros);
                all.add(observation);
                for (String scope : server.scopes()) {
                    keep(new Window(scope, TailWindowKind.TUMBLING, end(second, 10)), micros);
                    keep(new Window(scope, TailWindowKind.SLIDING, end(second, 20)), micros);
                    keep(new Window(scope, TailWindowKind.SLIDING, end(second, 20) + 20_000), micros);
                }
            }
            return all;
        }

        private long end(int second, int length) {
            return start + 1000L * length * (second / length + 1);
        }

        private void keep(Window window, long[] micros) {
            List<Long> kept = latencies.computeIfAbsent(window, w -> new ArrayList<>());
            Arrays.stream(micros).forEach(kept::add);
        }
    }

    private static ServerObservation observation(Server server, long second, long... micros) {
        return ServerObservationBuilder.builder()
                .service("shop")
                .tier(server.tier())
                .component(server.component())
                .server(server.name())
                .vantage(server.vantage())
                .secondMillis(second)
                .counts(TrafficCountsBuilder.builder()
                        .arrivals(micros.length + 1)
                        .completions(micros.length)
                        .timedOut(1)
                        .connections(10)
                        .inServiceMicros(1_500_000)
                        .busyCoreMicros(1_200_000)
                        .coreMicros(2_000_000)
                        .observedMicros(1_000_000)
                        .build())
                .latencies(LatencySketch.of(micros).toBytes())
                .build();
    }

    private static void send(KafkaSettings settings, List<ServerObservation> observations) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(settings)) {
            List<Future<?>> sent = new ArrayList<>();
            for (ServerObservation observation : observations) {
                sent.add(producer.send(new ProducerRecord<>(
                        settings.name(Topic.SERVER_OBSERVATIONS),
                        Math.floorMod(observation.server().hashCode(), PARTITIONS),
                        null,
                        observation.server().getBytes(StandardCharsets.UTF_8),
                        Codecs.SERVER_OBSERVATION.encode(observation))));
            }
            for (Future<?> each : sent) {
                each.get();
            }
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(KafkaSettings settings) {
        return new KafkaProducer<>(settings.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static JobID startJob(KafkaSettings settings, int parallelism, Optional<String> savepoint)
            throws Exception {
        Configuration config = new Configuration();
        savepoint.ifPresent(path -> config.set(StateRecoveryOptions.SAVEPOINT_PATH, path));
        config.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), settings.bootstrapServers());
        config.set(KafkaOptions.TOPIC_PREFIX.option(), settings.topicPrefix());
        config.set(KafkaOptions.GROUP_ID.option(), settings.topicPrefix() + "test");
        config.set(KafkaOptions.OUT_OF_ORDERNESS.option(), Duration.ofSeconds(1));
        config.setString("tails.sliding-window", "40 s");
        config.setString("tails.sliding-every", "20 s");
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(1));
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        env.setParallelism(parallelism);
        TailsJob.define(env, TailsJob.OPTIONS.read(config));
        return env.executeAsync("tails").getJobID();
    }

    private static Policy policy() {
        return Policy.builder()
                .service("shop")
                .version(1)
                .metrics(List.of("tpr@20"))
                .expirationWindowMillis(2_000)
                .windowMillis(1_000)
                .slideMillis(1_000)
                .classes(List.of(ClassPolicy.builder()
                        .name("all")
                        .priority(0)
                        .objective(0.9)
                        .floor(1)
                        .build()))
                .build();
    }

    private static void awaitCheckpoint(JobID job) {
        long before = cluster.completedCheckpoints(job);
        await().atMost(PATIENCE).until(() -> cluster.completedCheckpoints(job) > before);
    }

    @Test
    void everyLevelIsExactWithinOnePercentThroughAKillAndARescaledSavepoint(@TempDir Path savepoints) throws Exception {
        KafkaSettings settings = new KafkaSettings(backends.bootstrapServers(), "tails-exact.", Map.of());
        TopicAdmin.createMissing(settings, PARTITIONS, (short) 1);
        PolicyStore.publish(settings, policy());
        // The traffic must not end in the future; sliding windows end on the grid.
        Traffic traffic = new Traffic((System.currentTimeMillis() / 20_000) * 20_000 - 20_000L * 10);
        JobID job = startJob(settings, Effort.of(2, 4), Optional.empty());
        send(settings, traffic.seconds(0, SECONDS / 3));
        awaitCheckpoint(job);

        cluster.killOldestTaskManager();
        send(settings, traffic.seconds(SECONDS / 3, 2 * SECONDS / 3));
        cluster.replaceTaskManagers();
        JobID killed = job;
        await().atMost(PATIENCE).until(() -> cluster.restarts(killed) > 0);
        awaitCheckpoint(job);

        String savepoint = cluster.stopWithSavepoint(job, savepoints);
        List<ServerObservation> last = traffic.seconds(2 * SECONDS / 3, SECONDS);
        send(settings, last);
        send(settings, last);
        job = startJob(settings, Effort.of(1, 2), Optional.of(savepoint));
        // Advances event time in every partition, until the last sliding window has ended.
        send(
                settings,
                servers().stream()
                        .map(server -> observation(server, traffic.start + 119_000, 1))
                        .toList());

        try (TopicLog<TailWindow> log = new TopicLog<>(settings, Topic.TAILS, Codecs.TAIL_WINDOW)) {
            Set<Window> expected = traffic.latencies.keySet();
            await().atMost(PATIENCE).until(() -> log.readOn().stream()
                    .map(Window::of)
                    .collect(Collectors.toSet())
                    .containsAll(expected));
            Map<Window, TailWindow> windows = onceEach(log.readOn());
            traffic.latencies.forEach((window, latencies) -> assertExact(windows.get(window), latencies));
            assertLevelsMerge(windows);
        }
        cluster.cancel(job);
    }

    /** After a restart a window may be written again, but its bytes must be identical. */
    private static Map<Window, TailWindow> onceEach(List<TailWindow> all) {
        Map<Window, TailWindow> windows = new HashMap<>();
        for (TailWindow window : all) {
            TailWindow former = windows.putIfAbsent(Window.of(window), window);
            if (former != null) {
                assertThat(Codecs.TAIL_WINDOW.encode(window))
                        .as("%s written again", Window.of(window))
                        .isEqualTo(Codecs.TAIL_WINDOW.encode(former));
            }
        }
        return windows;
    }

    private static void assertExact(TailWindow window, List<Long> latencies) {
        long[] sorted = latencies.stream().mapToLong(Long::longValue).sorted().toArray();
        String name = Window.of(window).toString();
        LatencyStatistics found = window.latency().orElseThrow();
        assertThat(found.count()).as(name).isEqualTo(sorted.length);
        assertQuantile(name, sorted, 0.5, found.p50Micros());
        assertQuantile(name, sorted, 0.9, found.p90Micros());
        assertQuantile(name, sorted, 0.95, found.p95Micros());
        assertQuantile(name, sorted, 0.99, found.p99Micros());
        assertQuantile(name, sorted, 0.999, found.p999Micros());
        assertThat(found.maximumMicros()).as(name).isEqualTo(sorted[sorted.length - 1]);
        assertThat(found.meanMicros())
                .as(name)
                .isCloseTo(Arrays.stream(sorted).average().orElseThrow(), within(1e-3));
        int seconds = sorted.length / REQUESTS;
        assertThat(window.counts().completions()).as(name).isEqualTo(sorted.length);
        assertThat(window.counts().arrivals()).as(name).isEqualTo(61L * seconds);
        assertThat(window.utilisation().orElseThrow()).as(name).isEqualTo(0.6, within(1e-9));
        assertThat(window.demand().orElseThrow().meanMicros()).as(name).isEqualTo(20_000, within(1e-6));
    }

    private static void assertQuantile(String name, long[] sorted, double quantile, double foundMicros) {
        double exact = sorted[(int) Math.floor(quantile * (sorted.length - 1))];
        assertThat(foundMicros).as("%s, quantile %s", name, quantile).isCloseTo(exact, within(0.01 * exact + 1e-9));
    }

    private static void assertLevelsMerge(Map<Window, TailWindow> windows) {
        windows.forEach((key, whole) -> {
            TailLevel below =
                    switch (whole.level()) {
                        case SERVICE -> TailLevel.TIER;
                        case TIER -> TailLevel.COMPONENT;
                        case COMPONENT -> TailLevel.SERVER;
                        case SERVER, ARBITER -> null;
                    };
            if (below == null) {
                return;
            }
            LatencySketch merged = new LatencySketch();
            TrafficCounts counts = TrafficCounts.NONE;
            for (TailWindow part : windows.values()) {
                if (part.level() == below
                        && part.kind() == whole.kind()
                        && part.endMillis() == whole.endMillis()
                        && (part.scope() + '/').startsWith(whole.scope() + '/')) {
                    merged.merge(LatencySketch.fromBytes(part.latencies()));
                    counts = counts.plus(part.counts());
                }
            }
            assertThat(merged.toBytes()).as("%s", key).isEqualTo(whole.latencies());
            assertThat(counts).as("%s", key).isEqualTo(whole.counts());
        });
    }

    @Test
    void whatCannotBeUsedIsADeadLetterAndAServersReporterIsHeard() throws Exception {
        KafkaSettings settings = new KafkaSettings(backends.bootstrapServers(), "tails-live.", Map.of());
        TopicAdmin.createMissing(settings, 1, (short) 1);
        PolicyStore.publish(settings, policy());
        JobID job = startJob(settings, 1, Optional.empty());
        Server server = servers().get(0);
        long now = System.currentTimeMillis() / 1000 * 1000;
        ServerObservation good = observation(server, now - 30_000, 5);
        ServerObservation wrongSketch = ServerObservationBuilder.builder()
                .service("shop")
                .tier("t")
                .component("c")
                .server("s")
                .vantage(Vantage.SERVER)
                .secondMillis(now)
                .counts(good.counts())
                .latencies(new byte[] {1, 2, 3})
                .build();
        ServerObservation wrongCount = ServerObservationBuilder.builder()
                .service("shop")
                .tier("t")
                .component("c")
                .server("s")
                .vantage(Vantage.SERVER)
                .secondMillis(now)
                .counts(good.counts())
                .latencies(LatencySketch.of(1, 2).toBytes())
                .build();
        ServerObservation unknown = ServerObservationBuilder.builder()
                .service("nobody")
                .tier("t")
                .component("c")
                .server("s")
                .vantage(Vantage.SERVER)
                .secondMillis(now)
                .counts(good.counts())
                .latencies(good.latencies())
                .build();
        try (KafkaProducer<byte[], byte[]> producer = producer(settings);
                ServerReports reports = ServerReports.connect(settings);
                TopicLog<DeadLetter> letters = new TopicLog<>(settings, Topic.DEAD_LETTERS, Codecs.DEAD_LETTER);
                TopicLog<TailWindow> windows = new TopicLog<>(settings, Topic.TAILS, Codecs.TAIL_WINDOW)) {
            producer.send(new ProducerRecord<>(
                            settings.name(Topic.SERVER_OBSERVATIONS), "junk".getBytes(StandardCharsets.UTF_8)))
                    .get();
            for (ServerObservation each : List.of(good, wrongSketch, wrongCount, unknown)) {
                producer.send(new ProducerRecord<>(
                                settings.name(Topic.SERVER_OBSERVATIONS), Codecs.SERVER_OBSERVATION.encode(each)))
                        .get();
            }
            ServerReporter reporter = reports.of(ServerIdentity.server("shop", "live", "live", "live-1", 2));
            await("a window of the reporter's data").atMost(PATIENCE).until(() -> {
                reporter.completed(reporter.arrived());
                return windows.readOn().stream()
                        .anyMatch(w -> w.server().equals("live-1") && w.counts().completions() > 0);
            });
            producer.send(new ProducerRecord<>(
                            settings.name(Topic.SERVER_OBSERVATIONS), Codecs.SERVER_OBSERVATION.encode(good)))
                    .get();
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(letters.readOn().stream()
                            .map(DeadLetter::reason)
                            .collect(Collectors.groupingBy(r -> r, Collectors.counting())))
                    .isEqualTo(Map.of(
                            RejectionReason.UNREADABLE, 1L,
                            RejectionReason.INCONSISTENT, 2L,
                            RejectionReason.UNKNOWN_SERVICE, 1L,
                            RejectionReason.LATE, 1L)));
            assertThat(reports.stats().dropped()).isZero();
            // The cluster collects its metrics at intervals, so a count lags behind its dead
            // letter.
            await("the count of late records").atMost(PATIENCE).untilAsserted(() -> assertThat(
                            cluster.metricSum(job, "kipimo.lateObservations"))
                    .isEqualTo(1));
        }
        cluster.cancel(job);
    }
}
