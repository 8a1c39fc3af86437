package io.kipimo.endtoend.alerts;

import static io.kipimo.testing.Patience.PATIENCE;
import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kipimo.cli.Main;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.Programs;
import io.kipimo.embedded.redis.EmbeddedRedis;
import io.kipimo.endtoend.CommandLineRun;
import io.kipimo.endtoend.ShopPolicy;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on a real cluster, an adapter with a real HAProxy, a purger, the server of the filter of stale keys, the
 * console, and a real Prometheus with the alert rules. Without a fault no alert fires, neither of the rules as they are
 * nor with their times shortened. Then each alert of the shortened rules fires after its own fault.
 */
@Tag("faults")
class AlertsITCase {
    private static final Path RULES = Path.of("../../docker/prometheus/alerts.yml");

    /** The rules as they are see this long no fault: {@code -Dalerts.silence-seconds=3600}. */
    private static final Duration SILENCE = Duration.ofSeconds(Integer.getInteger("alerts.silence-seconds", 20));

    private static final Duration SHORT_SILENCE = Duration.ofSeconds(20);

    /** The open transaction, and those of the previous checkpoint. */
    private static final int NEWEST_TRANSACTIONS = 3;

    /** As in {@code prometheus.yml}. */
    private static final int AS_SHIPPED_SECONDS = 10;

    private static final int SHORT_SECONDS = 2;

    /** Tested by promtool alone: this run has no job with {@code join.path} LOCAL, and its copies live for a second. */
    private static final Set<String> NOT_PROVOKED =
            Set.of("KipimoStrayEvents", "KipimoOverdueEvents", "KipimoFilterLost");

    /** Too small for a dead letter. */
    private static final String SMALL_REQUEST = "1100";

    private static final String OPERATOR = "flink_taskmanager_job_task_operator_";

    @TempDir
    private Path scratch;

    private final List<AutoCloseable> parts = new ArrayList<>();

    /** Faults in order of injection, and the alerts that must fire for each. */
    private enum Fault {
        SPOILT_TRAFFIC(
                "KipimoQualityBurnsFast",
                "KipimoQualityBurnsSlowly",
                "KipimoQualityBurnsForHours",
                "KipimoQualityBurnsForDays",
                "KipimoQueriesExpire",
                "KipimoTooFewSamples",
                "KipimoClockAhead",
                "KipimoUnnamedClasses"),
        RECORD_THAT_IS_NONE("KipimoDeadLetters"),
        RATING_WITHOUT_GENERATORS("KipimoRatingStale"),
        CACHE_AWAY("KipimoPurgesFail"),
        REDIS_AWAY("KipimoRedisDropsDecisions", "KipimoFilterUnavailable"),
        HAPROXY_AWAY("KipimoAdapterDisconnected"),
        CONSOLE_AWAY("KipimoTargetDown"),
        BACKLOG("KipimoJobBehind"),
        RECORD_TOO_LARGE_TO_WRITE("KipimoStepsFail"),
        FAILED_ANSWERS("KipimoMeasuresTooLittle"),
        ADMISSION_CANCELLED("KipimoDecisionsOld", "KipimoJobDown"),
        INVENTED_SERVERS("KipimoTooManyNames"),
        TRANSACTIONS_FENCED("KipimoFailedCommittables"),
        // A failed checkpoint also fails the job.
        CHECKPOINTS_WITHOUT_DIRECTORY("KipimoCheckpointsFail", "KipimoJobRestarts"),
        KAFKA_AWAY("KipimoKafkaUnreachable", "KipimoClassesUnknown");

        @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable.
        private final List<String> alerts;

        Fault(String... alerts) {
            this.alerts = List.of(alerts);
        }
    }

    private <T extends AutoCloseable> T keep(T part) {
        parts.add(0, part);
        return part;
    }

    @Test
    void everyRuleHasAFault() throws Exception {
        assertThat(Arrays.stream(Fault.values()).flatMap(fault -> fault.alerts.stream()))
                .containsExactlyInAnyOrderElementsOf(provoked(Files.readString(RULES)));
    }

    private static List<String> provoked(String rules) {
        return ShortenedRules.alerts(rules).stream()
                .filter(alert -> !NOT_PROVOKED.contains(alert))
                .toList();
    }

    @Test
    void eachFiresAtItsFaultAndNoneWithoutOne() throws Exception {
        Optional<Path> program = Programs.find("prometheus");
        Optional<Path> haproxy = Programs.find("haproxy");
        if (program.isEmpty() || haproxy.isEmpty()) {
            System.err.println("SKIPPED: no prometheus or no haproxy; alerts are not provoked");
        }
        assumeTrue(program.isPresent() && haproxy.isPresent(), "no prometheus or no haproxy");
        try {
            provoke(program.get(), haproxy.get());
        } finally {
            for (AutoCloseable part : parts) {
                part.close();
            }
        }
    }

    private void provoke(Path prometheusProgram, Path haproxyProgram) throws Exception {
        EmbeddedKafka broker = keep(EmbeddedKafka.start());
        EmbeddedRedis redis = keep(EmbeddedRedis.start());
        KafkaSettings kafka = new KafkaSettings(broker.bootstrapServers(), "alerts.", Map.of());
        KafkaSettings old = new KafkaSettings(broker.bootstrapServers(), "behind.", Map.of());
        for (KafkaSettings each : List.of(kafka, old)) {
            TopicAdmin.createMissing(each, 1, (short) 1);
            PolicyStore.publish(each, ShopPolicy.of());
        }
        FlinkCluster cluster = keep(FlinkCluster.distribution(1, 4));
        Path checkpoints = Files.createDirectories(scratch.resolve("checkpoints"));
        Map<String, String> budgets = Map.of(
                "error-budgets.short-window",
                "1 min",
                "error-budgets.long-window",
                "1 min",
                "error-budgets.minimum-samples",
                "1",
                "execution.checkpointing.dir",
                checkpoints.toUri().toString(),
                "execution.checkpointing.interval",
                "1 s",
                "sink.guarantee",
                "EXACTLY_ONCE");
        start(cluster, KipimoJob.QUALITY, kafka, budgets);
        JobID admission = start(
                cluster,
                KipimoJob.ADMISSION,
                kafka,
                Map.of("redis.host", redis.host(), "redis.port", Integer.toString(redis.port())));
        start(cluster, KipimoJob.RATING, kafka, Map.of());
        ForeignProcess haproxy = keep(haproxy(haproxyProgram));
        int adapterPort = FreePorts.one();
        keep(command(
                kafka,
                "haproxy",
                "--service=shop",
                "--class=low:0.05:0.5",
                "--socket=" + scratch.resolve("haproxy.sock"),
                "--map=" + scratch.resolve("admitted.map"),
                "--port=" + adapterPort));
        int purgePort = FreePorts.one();
        keep(command(kafka, "purge", "--cache=http://127.0.0.1:" + FreePorts.one(), "--admin=127.0.0.1:" + purgePort));
        int filterPort = FreePorts.one();
        keep(command(
                "filter",
                "serve",
                "--redis=" + redis.host() + ':' + redis.port(),
                "--table=shop/products",
                "--longest-ttl-millis=1000",
                "--port=" + filterPort));
        int consolePort = FreePorts.one();
        ChildProcess console = keep(command(kafka, "console", "--port=" + consolePort));
        await().atMost(PATIENCE).until(() -> IntStream.of(adapterPort, purgePort, filterPort, consolePort)
                .allMatch(ForeignProcess::listens));
        ShopTraffic traffic = keep(new ShopTraffic(kafka));
        String rules = Files.readString(RULES);
        Map<String, List<String>> targets = Map.of(
                "flink-jobmanager",
                cluster.metricAddresses().subList(0, 1),
                "flink-taskmanager",
                taskManagers(cluster),
                "kipimo-haproxy",
                List.of("127.0.0.1:" + adapterPort),
                "kipimo-purge",
                List.of("127.0.0.1:" + purgePort),
                "kipimo-filter",
                List.of("127.0.0.1:" + filterPort),
                "kipimo-console",
                List.of("127.0.0.1:" + consolePort));
        Prometheus asTheyAre = keep(Prometheus.start(
                prometheusProgram, scratch.resolve("as-they-are"), rules, AS_SHIPPED_SECONDS, targets));
        Prometheus prometheus = keep(Prometheus.start(
                prometheusProgram, scratch.resolve("shortened"), ShortenedRules.of(rules), SHORT_SECONDS, targets));

        // Two minutes of budgets; the first minute may be incomplete.
        await("budgets of both classes, and decisions at HAProxy's adapter")
                .atMost(PATIENCE)
                .until(() -> prometheus
                                        .query(OPERATOR + "kipimo_scope_burnRateShort")
                                        .size()
                                == 2
                        && prometheus
                                        .query("kipimo_haproxy_decision_age_seconds")
                                        .size()
                                == 1
                        && prometheus.query("kipimo:measured_queries:10m > 500").size() == 1);
        silent(asTheyAre, SILENCE);
        silent(prometheus, SHORT_SILENCE);

        Map<String, Long> firedAfterMillis = new HashMap<>();
        Faults faults = new Faults(prometheus, firedAfterMillis);
        traffic.spoil();
        send(kafka, Topic.ANSWERS, "junk".getBytes(StandardCharsets.UTF_8));
        send(kafka, Topic.RATINGS, Codecs.RATING.encode(ratingWithoutGenerators()));
        send(kafka, Topic.INVALIDATIONS, Codecs.INVALIDATION.encode(invalidation()));
        redis.kill();
        keep(new FilterClient(filterPort));
        haproxy.close();
        console.kill();
        ShopTraffic.backlog(old, 1_000_000);
        send(old, Topic.ANSWERS, "junk".getBytes(StandardCharsets.UTF_8));
        start(
                cluster,
                KipimoJob.QUALITY,
                old,
                // There are no answers; their idle partitions must not hold back event time for
                // long.
                Map.of(
                        "source.idleness",
                        "200 ms",
                        KafkaOptions.PROPERTIES_PREFIX + ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        SMALL_REQUEST));
        faults.await(
                Fault.SPOILT_TRAFFIC,
                Fault.RECORD_THAT_IS_NONE,
                Fault.RATING_WITHOUT_GENERATORS,
                Fault.CACHE_AWAY,
                Fault.REDIS_AWAY,
                Fault.HAPROXY_AWAY,
                Fault.CONSOLE_AWAY,
                Fault.BACKLOG,
                Fault.RECORD_TOO_LARGE_TO_WRITE);
        keep(command(kafka, "console", "--port=" + consolePort));
        traffic.failLow();
        faults.await(Fault.FAILED_ANSWERS);
        cluster.cancel(admission);
        faults.await(Fault.ADMISSION_CANCELLED);
        JobID tails = start(cluster, KipimoJob.TAILS, kafka, Map.of());
        await("Prometheus has its counter before it grows").atMost(PATIENCE).until(() -> !prometheus
                .query(OPERATOR + "kipimo_tooManyNames{job_name=\"kipimo-tails\"} == 0")
                .isEmpty());
        ShopTraffic.inventedServers(kafka, 10_500);
        faults.await(Fault.INVENTED_SERVERS);
        cluster.cancel(tails);
        cluster.killTaskManager(0);
        fenceTransactions(kafka);
        int unused = cluster.startTaskManager();
        prometheus.scrape("flink-taskmanager", taskManagers(cluster));
        faults.await(Fault.TRANSACTIONS_FENCED);
        Files.move(checkpoints, scratch.resolve("moved"));
        Files.writeString(checkpoints, "no directory");
        faults.await(Fault.CHECKPOINTS_WITHOUT_DIRECTORY);
        broker.stop();
        faults.await(Fault.KAFKA_AWAY);

        System.out.println("Alerts, by seconds after their fault or the one before it:");
        firedAfterMillis.forEach((name, after) -> System.out.println(after / 1000 + " " + name));
        assertThat(prometheus.firedWithin(1200)).containsAll(provoked(rules));
    }

    /**
     * Watches from now on. Alerts that fired while the parts started, on a busy machine, are none of a quiet system.
     */
    private static void silent(Prometheus prometheus, Duration length) {
        long start = System.nanoTime();
        await("no alert without a fault")
                .atMost(length.plus(PATIENCE))
                .during(length)
                .pollInterval(Duration.ofSeconds(1))
                .failFast(() -> assertThat(
                                prometheus.firedWithin(1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)))
                        .isEmpty())
                .until(() -> true);
    }

    /** Asks for the filter of stale keys twice a second, as clients do. */
    private static final class FilterClient implements AutoCloseable {
        private final HttpClient http = HttpClient.newHttpClient();
        private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

        FilterClient(int port) {
            HttpRequest filter = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/stale-filter"))
                    .build();
            var unused = thread.scheduleWithFixedDelay(
                    () -> {
                        var answer = http.sendAsync(filter, BodyHandlers.discarding());
                    },
                    0,
                    500,
                    TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }

    private static Invalidation invalidation() {
        return InvalidationBuilder.builder()
                .service("shop")
                .table("products")
                .kind(CachedKind.RECORD)
                .key("p1")
                .record("p1")
                .change(ResultChange.CHANGED)
                .version(7)
                .writtenMillis(System.currentTimeMillis())
                .mode(InvalidationMode.HARD)
                .build();
    }

    /** Waits for alerts of the given faults, from now on. */
    private record Faults(Prometheus prometheus, Map<String, Long> firedAfterMillis) {
        void await(Fault... broken) {
            List<String> alerts = Arrays.stream(broken)
                    .flatMap(fault -> fault.alerts.stream())
                    .toList();
            long start = System.currentTimeMillis();
            org.awaitility.Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
                Set<String> fired = prometheus.firedWithin(1200);
                for (String alert : alerts) {
                    if (fired.contains(alert)) {
                        firedAfterMillis.putIfAbsent(alert, System.currentTimeMillis() - start);
                    }
                }
                assertThat(fired).containsAll(alerts);
            });
        }
    }

    private static JobID start(FlinkCluster cluster, KipimoJob job, KafkaSettings kafka, Map<String, String> options)
            throws Exception {
        Map<String, String> all = new HashMap<>(options);
        all.put("kafka.bootstrap-servers", kafka.bootstrapServers());
        all.put("kafka.topic-prefix", kafka.topicPrefix());
        return CommandLineRun.submit(cluster, job, all, "--parallelism=1").jobId();
    }

    private static List<String> taskManagers(FlinkCluster cluster) {
        List<String> addresses = cluster.metricAddresses();
        return addresses.subList(1, addresses.size());
    }

    private ChildProcess command(KafkaSettings kafka, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--bootstrap-servers=" + kafka.bootstrapServers());
        all.add("--topic-prefix=" + kafka.topicPrefix());
        return command(all.toArray(String[]::new));
    }

    private ChildProcess command(String... words) {
        return ChildProcess.start(
                Main.class,
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                List.of(words),
                scratch.resolve(words[0] + ".log"));
    }

    private ForeignProcess haproxy(Path program) throws Exception {
        int port = FreePorts.one();
        Files.writeString(scratch.resolve("admitted.map"), "low 1000000\n");
        Path config = scratch.resolve("haproxy.cfg");
        Files.writeString(config, """
                global
                    stats socket %1$s/haproxy.sock mode 600 level admin
                defaults
                    mode http
                    timeout connect 1s
                    timeout client 60s
                    timeout server 60s
                frontend door
                    bind 127.0.0.1:%2$d
                    http-request set-var(txn.admitted) str(low),map_str_int(%1$s/admitted.map,1000000)
                    http-request return status 200
                """.formatted(scratch, port));
        return ForeignProcess.start(
                List.of(program.toString(), "-db", "-f", config.toString()), port, scratch.resolve("haproxy.log"));
    }

    /** Like a takeover of the newest transactions' ids by others: they can no longer be committed. */
    private static void fenceTransactions(KafkaSettings kafka) throws Exception {
        String prefix = "kipimo-quality-" + kafka.name(Topic.QUALITY) + "-0-";
        try (Admin admin = Admin.create(kafka.forAdmin())) {
            List<String> newest = admin.listTransactions().all().get().stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> id.startsWith(prefix))
                    .sorted(comparingLong((String id) -> -Long.parseLong(id.substring(prefix.length()))))
                    .limit(NEWEST_TRANSACTIONS)
                    .toList();
            assertThat(newest).as("transactions of measurements").isNotEmpty();
            admin.fenceProducers(newest).all().get();
        }
    }

    private static Rating ratingWithoutGenerators() {
        return Rating.requested(new RatingRequest(
                "alone",
                "",
                "nowhere",
                new AgreementTerms(0.9, 30_000_000, 0, 0, 0.01, 1),
                new SearchTerms(RatingTechnique.APPROXIMATE, 2, 0, 0.001, 1_000, 100),
                ExperimentTermsBuilder.builder()
                        .model(LoadModel.CLOSED)
                        .unit(1)
                        .millis(60_000)
                        .generators(1)
                        .patienceMillis(5_000)
                        .seed(7)
                        .build(),
                System.currentTimeMillis()));
    }

    private static void send(KafkaSettings kafka, Topic topic, byte[] value) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            var unused = producer.send(
                            new ProducerRecord<>(kafka.name(topic), "any".getBytes(StandardCharsets.UTF_8), value))
                    .get();
        }
    }
}
