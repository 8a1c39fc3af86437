package io.kipimo.examples.demo;

import io.kipimo.examples.console.DemoConsole;
import io.kipimo.examples.enforcement.EnforcementKind;
import io.kipimo.examples.enforcement.EnforcementPoint;
import io.kipimo.examples.search.SearchService;
import io.kipimo.examples.search.SearchServiceProcess;
import io.kipimo.examples.search.SearchServiceSettings;
import io.kipimo.examples.search.load.ArrivalTrace;
import io.kipimo.examples.search.load.Calibration;
import io.kipimo.examples.search.load.Capacity;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.load.LoadResult;
import io.kipimo.examples.search.load.LoadTarget;
import io.kipimo.examples.search.load.QueryClass;
import io.kipimo.examples.search.load.TraceSettings;
import io.kipimo.examples.search.load.VocabularyClient;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.harness.flink.FlinkCluster;
import io.kipimo.harness.kafka.EmbeddedKafka;
import io.kipimo.harness.redis.EmbeddedRedis;
import io.kipimo.harness.watch.Progress;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.admission.AdmissionJob;
import io.kipimo.jobs.admission.AdmissionOptions;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.jobs.quality.QualityOptions;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.jobs.tails.TailsOptions;
import io.kipimo.redis.RedisDecisionStore;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Broker, Redis, Flink with both jobs, search service and load on this machine; one run for each
 * way of control, all on the same trace. {@link #close} stops everything that was started.
 */
final class Demo implements AutoCloseable {
    static final String SERVICE = "search";

    /**
     * Least admitted fraction of the low class if an enforcement point in front of the service
     * sheds it.
     */
    private static final double FLOOR = 0.01;

    /** Measured on two cores: start, warm-up and calibration. */
    private static final Duration SETUP = Duration.ofSeconds(80);

    private static final Duration WARM_UP = Duration.ofSeconds(12);

    /** Load of the warm-up, before the capacity is known. */
    private static final double WARM_UP_PER_SECOND = 50;

    private static final Duration BETWEEN_RUNS = Duration.ofSeconds(7);
    private static final Duration SHORTEST_RUN = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final DemoSettings settings;
    private final List<WayOfControl> ways;
    private final EnforcementKind through;
    private final int servers;
    private final Optional<DemoConsole> console;
    private final Progress progress;
    private final Path directory;
    private final Deque<AutoCloseable> started = new ConcurrentLinkedDeque<>();

    private KafkaSettings kafka;
    private Optional<RedisSettings> redis = Optional.empty();

    /** The first server. Also serves requests that no enforcement point handles. */
    private SearchServiceProcess service;

    private Optional<EnforcementPoint> door = Optional.empty();
    private TopicRecorder recorder;
    private long policyVersion;

    /**
     * @param ways in the order of their runs
     * @param through enforcement point that sheds the low class
     * @param servers number of servers; if above 1, the enforcement point spreads the low class
     *     over them
     * @param console shown while the demo runs
     */
    Demo(
            DemoSettings settings,
            List<WayOfControl> ways,
            EnforcementKind through,
            int servers,
            Optional<DemoConsole> console,
            Progress progress,
            Path directory) {
        this.settings = settings;
        this.ways = ways;
        this.through = through;
        this.servers = servers;
        this.console = console;
        this.progress = progress;
        this.directory = directory;
    }

    DemoSummary run(Duration length, QueryMix mix, double peakUtilisation, long seed)
            throws Exception {
        startBroker();
        // Indexing takes as long as Flink's start, on another core.
        CompletableFuture<Void> indexed =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                startService();
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        startJobs();
        indexed.get();
        try (LoadGenerator generator = new LoadGenerator()) {
            QueryWriter writer =
                    new QueryWriter(VocabularyClient.fetch(service.ports().vocabulary()));
            progress.say("warming up; the console shows the first figures in a few seconds");
            generator.run(
                    new LoadTarget(service.ports().high(), lowPort()),
                    ArrivalTrace.of(
                            TraceSettings.day(WARM_UP, WARM_UP_PER_SECOND, 1, mix, seed), writer),
                    seed);
            progress.say("measuring the capacity of this machine, with everything running");
            Capacity capacity =
                    Calibration.THOROUGH.find(
                            generator, service.ports().calibration(), writer, mix.middle(), seed);
            progress.say(describe(capacity));
            Duration runLength = runLength(length);
            TraceSettings traceSettings =
                    TraceSettings.day(runLength, capacity.perSecond(), peakUtilisation, mix, seed);
            ArrivalTrace trace = ArrivalTrace.of(traceSettings, writer);
            List<RunResult> results = new ArrayList<>();
            for (WayOfControl way : ways) {
                results.add(run(way, trace, generator, seed + way.ordinal() + 1));
            }
            return summary(capacity, traceSettings, trace, results);
        }
    }

    private Duration runLength(Duration length) {
        Duration left = length.minus(SETUP).dividedBy(ways.size()).minus(BETWEEN_RUNS);
        return left.compareTo(SHORTEST_RUN) < 0
                ? SHORTEST_RUN
                : Duration.ofSeconds(left.toSeconds());
    }

    private void startBroker() throws Exception {
        progress.say("starting Kafka (KRaft) and Redis");
        EmbeddedKafka broker = keep(EmbeddedKafka.start());
        kafka = new KafkaSettings(broker.bootstrapServers(), Topic.DEFAULT_PREFIX, Map.of());
        if (EmbeddedRedis.isAvailable()) {
            EmbeddedRedis store = keep(EmbeddedRedis.start());
            redis = Optional.of(RedisSettings.of(store.host(), store.port()));
        } else {
            progress.say("Redis does not run on this machine; decisions go through Kafka alone");
        }
        TopicAdmin.createMissing(kafka, 0, (short) 1);
        publish(WayOfControl.FULL_SHARING, true);
        if (console.isPresent()) {
            keep(console.get().open(kafka, progress));
        }
        progress.say(
                "to look by command: kipimo status --bootstrap-servers "
                        + kafka.bootstrapServers()
                        + "; also worst, doctor, tail quality");
    }

    private void startJobs() throws Exception {
        progress.say("starting Flink with the quality, admission and tails jobs");
        FlinkCluster flink = keep(FlinkCluster.inProcess(1, 4));
        Map<String, String> options =
                Map.of(
                        "kafka.bootstrap-servers",
                        kafka.bootstrapServers(),
                        "source.out-of-orderness",
                        "300 ms",
                        "source.idleness",
                        "2 s",
                        "parallelism.default",
                        "1");
        StreamExecutionEnvironment quality = environment(flink, options);
        QualityJob.define(quality, QualityOptions.of(Configuration.fromMap(options)));
        submit(flink, quality, QualityJob.NAME);
        Configuration withRedis = Configuration.fromMap(options);
        redis.ifPresent(
                r -> {
                    withRedis.setString("redis.host", r.host());
                    withRedis.setString("redis.port", String.valueOf(r.port()));
                });
        StreamExecutionEnvironment admission = environment(flink, options);
        AdmissionJob.define(admission, AdmissionOptions.of(withRedis));
        submit(flink, admission, AdmissionJob.NAME);
        StreamExecutionEnvironment tails = environment(flink, options);
        TailsJob.define(tails, TailsOptions.of(Configuration.fromMap(options)));
        submit(flink, tails, TailsJob.NAME);
        recorder = keep(new TopicRecorder(kafka));
        progress.say("Flink's page is at http://" + flink.host() + ":" + flink.restPort());
    }

    /**
     * Starts a job that is cancelled before its cluster closes, which would otherwise report a
     * failure.
     */
    private void submit(FlinkCluster flink, StreamExecutionEnvironment env, String name)
            throws Exception {
        JobID job = env.executeAsync("kipimo-" + name).getJobID();
        keep(() -> flink.cancel(job));
    }

    private static StreamExecutionEnvironment environment(
            FlinkCluster flink, Map<String, String> options) {
        return flink.environment(JobEnvironment.withDefaults(Configuration.fromMap(options)));
    }

    private void startService() throws IOException {
        progress.say("starting the search service: Lucene over WordNet and Europarl, 4 partitions");
        SearchServiceSettings wanted =
                SearchServiceSettings.of(SERVICE, Optional.of(kafka))
                        .withTimes(
                                Duration.ofMillis(settings.deadlineMillis()),
                                Duration.ofMillis(settings.expirationWindowMillis()))
                        .withSamplingRate(settings.samplingRate());
        SearchServiceSettings each =
                through == EnforcementKind.SDK ? wanted : wanted.admittingAll();
        SortedMap<String, Integer> lowPorts = new TreeMap<>();
        for (int i = servers; i >= 1; i--) {
            String name = SERVICE + "-" + i;
            service =
                    keep(
                            SearchServiceProcess.start(
                                    each.named(name), directory.resolve(name + ".log")));
            lowPorts.put(name, service.ports().low());
        }
        if (through != EnforcementKind.SDK) {
            progress.say("starting the " + through.label() + " that sheds the low class");
            door =
                    Optional.of(
                            keep(
                                    EnforcementPoint.open(
                                            through,
                                            new EnforcementPoint.Guarded(
                                                    kafka,
                                                    SERVICE,
                                                    WayOfControl.LOW,
                                                    FLOOR,
                                                    lowPorts),
                                            directory)));
        }
        door.filter(d -> servers > 1)
                .flatMap(EnforcementPoint::weightsSocket)
                .ifPresent(
                        socket ->
                                progress.say(
                                        "to rate one server with the low class: "
                                                + squeezeCommand(socket, lowPorts.lastKey())));
        progress.say(
                String.format(
                        Locale.ROOT,
                        "%,d documents; high class at http://127.0.0.1:%d/search?q=…, low class at port %d",
                        service.ready().documents(),
                        service.ports().high(),
                        lowPort()));
    }

    private String squeezeCommand(String socket, String server) {
        return String.join(
                " ",
                "kipimo rate --squeeze --bootstrap-servers",
                kafka.bootstrapServers(),
                "--haproxy",
                socket,
                "--service",
                SERVICE,
                "--tier",
                SearchService.TIER,
                "--target",
                "servers/" + server,
                "--sla 'p95<=%dms'".formatted(settings.deadlineMillis()));
    }

    /** Port for queries of the low class. */
    private int lowPort() {
        return door.map(EnforcementPoint::port).orElseGet(() -> service.ports().low());
    }

    private static String describe(Capacity capacity) {
        return String.format(
                Locale.ROOT,
                "Saturated, and with everything running, the service answers %.0f queries of the middle mix a second%s.",
                capacity.perSecond(),
                capacity.steady() ? "" : " (still changing at the time of the reading)");
    }

    private RunResult run(
            WayOfControl way, ArrivalTrace whole, LoadGenerator generator, long runSeed)
            throws Exception {
        publish(way, true);
        long version = policyVersion;
        await("the decision for " + way.title(), () -> isDecided(version));
        if (way != WayOfControl.NO_SHARING) {
            await("the start of " + way.title(), () -> isInForce(way.startFraction()));
        }
        publish(way, false);

        ArrivalTrace trace = way == WayOfControl.NO_SHARING ? highOnly(whole) : whole;
        long from = System.currentTimeMillis();
        ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor();
        LoadResult load;
        try {
            var unused =
                    ticker.scheduleAtFixedRate(
                            () -> tick(way, from, trace.duration()), 1, 1, TimeUnit.SECONDS);
            load = generator.run(new LoadTarget(service.ports().high(), lowPort()), trace, runSeed);
        } finally {
            ticker.shutdownNow();
        }
        long until = from + trace.duration().toMillis();
        // Include late results: wait for the end of the expiration window and of the sliding
        // windows.
        TimeUnit.MILLISECONDS.sleep(settings.expirationWindowMillis() + 2_000);
        RunResult result =
                new RunAnalysis(recorder, settings, service.ready().components().size())
                        .analyse(way, from, until, load);
        progress.say(
                String.format(
                        Locale.ROOT,
                        "%s: high-class quality %.3f (%.3f..%.3f), low class admitted %.0f %%",
                        way.title(),
                        result.quality().mean(),
                        result.quality().low(),
                        result.quality().high(),
                        100 * result.lowAdmittedShare()));
        return result;
    }

    private void tick(WayOfControl way, long from, Duration length) {
        long now = System.currentTimeMillis();
        String figures =
                recorder.windows(now - 5_000, now).stream()
                        .filter(w -> w.kind() == WindowKind.SLIDING)
                        .filter(w -> w.queryClass().equals(WayOfControl.HIGH))
                        .filter(w -> w.estimate().isPresent())
                        .max(Comparator.comparingLong(QualityWindow::endMillis))
                        .map(
                                w ->
                                        String.format(
                                                Locale.ROOT,
                                                "quality %.3f, time-outs %.0f %%",
                                                w.estimate().get().mean(),
                                                100 * w.timeOutShare()))
                        .orElse("quality not yet known");
        String fraction =
                recorder.decisions(now - 5_000, now).stream()
                        .filter(d -> d.scope().equals(SERVICE + "/" + WayOfControl.LOW))
                        .max(Comparator.comparingLong(Decision::issuedAtMillis))
                        .map(
                                d ->
                                        String.format(
                                                Locale.ROOT,
                                                ", low class at %.0f %%",
                                                100 * d.value()))
                        .orElse("");
        progress.at(way.title(), (now - from) / (double) length.toMillis(), figures + fraction);
    }

    private boolean isDecided(long version) {
        long now = System.currentTimeMillis();
        return recorder.decisions(now - PATIENCE.toMillis(), now + 1).stream()
                .anyMatch(
                        d ->
                                d.configVersion() == version
                                        && d.scope().equals(SERVICE + "/" + WayOfControl.LOW));
    }

    /** Whether the service reports this fraction. It approaches a new fraction in steps. */
    private boolean isInForce(double fraction) {
        if (door.isPresent()) {
            return Math.abs(door.get().admitted() - Math.max(FLOOR, fraction)) < 1e-5;
        }
        long now = System.currentTimeMillis();
        return recorder.observations(now - 5_000, now).stream()
                .filter(o -> o.queryClass().equals(WayOfControl.LOW))
                .max(Comparator.comparingLong(Observation::secondMillis))
                .filter(o -> Math.abs(o.admittedFraction() - fraction) < 1e-6)
                .isPresent();
    }

    private void publish(WayOfControl way, boolean prepared) {
        // A user of the console may have published a version meanwhile.
        policyVersion =
                PolicyStore.change(
                                kafka,
                                SERVICE,
                                stored ->
                                        prepared
                                                ? way.prepared(SERVICE, settings)
                                                : way.running(SERVICE, settings))
                        .version();
    }

    private static ArrivalTrace highOnly(ArrivalTrace trace) {
        return new ArrivalTrace(
                trace.duration(),
                trace.arrivals().stream().filter(a -> a.queryClass() == QueryClass.HIGH).toList());
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        what + " did not come within " + PATIENCE.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private DemoSummary summary(
            Capacity capacity,
            TraceSettings traceSettings,
            ArrivalTrace trace,
            List<RunResult> results)
            throws Exception {
        List<String> notes = new ArrayList<>();
        notes.add(
                String.format(
                        Locale.ROOT,
                        "One trace of %d s for every run: %,d queries, high class %.0f/s, low class up to %.0f/s, "
                                + "mix '%s', which changes twice.",
                        trace.duration().toSeconds(),
                        trace.arrivals().size(),
                        traceSettings.highPerSecond(),
                        traceSettings.lowPeakPerSecond(),
                        traceSettings.mix().name()));
        notes.add(
                String.format(
                        Locale.ROOT,
                        "Objective %.2f for the quality-guided controller, %.0f %% of time-outs for the timeout-guided "
                                + "one; the same gains (Kp %.2f, Ki %.2f a second), averaging window %d s, "
                                + "%.0f %% of the queries sampled, deadline %d ms.",
                        settings.objective(),
                        100 * settings.timeOutObjective(),
                        settings.kp(),
                        settings.ki(),
                        settings.windowMillis() / 1000,
                        100 * settings.samplingRate(),
                        settings.deadlineMillis()));
        door.ifPresent(d -> notes.add(d.figures()));
        notes.add(whatRedisHolds());
        for (RunResult run : results) {
            if (run.sendLagP99Millis() > 5) {
                notes.add(
                        String.format(
                                Locale.ROOT,
                                "%s: the load generator itself was up to %.1f ms late (p99), so its latencies include "
                                        + "delays of the machine.",
                                run.way().title(),
                                run.sendLagP99Millis()));
            }
        }
        return new DemoSummary(describe(capacity), settings.objective(), results, notes);
    }

    private String whatRedisHolds() {
        if (redis.isEmpty()) {
            return "Redis did not run.";
        }
        try (RedisDecisionStore store = RedisDecisionStore.at(redis.get())) {
            return store.get(Decision.ADMISSION, SERVICE + "/" + WayOfControl.LOW)
                    .map(
                            d ->
                                    "Redis holds the last decision for those who poll: epoch "
                                            + d.epoch()
                                            + ", sequence "
                                            + d.sequence()
                                            + ".")
                    .orElse("Redis holds no decision.");
        }
    }

    private <T extends AutoCloseable> T keep(T resource) {
        started.push(resource);
        return resource;
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                progress.say("while stopping: " + e.getMessage());
            }
        }
        deleteQuietly(directory);
    }

    private static void deleteQuietly(Path directory) {
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        } catch (IOException e) {
            // The temporary directory is already deleted.
        }
    }
}
