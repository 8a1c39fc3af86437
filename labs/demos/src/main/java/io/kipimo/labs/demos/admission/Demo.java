package io.kipimo.labs.demos.admission;

import io.kipimo.embedded.process.Await;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.embedded.watch.Progress;
import io.kipimo.examples.search.load.ArrivalTrace;
import io.kipimo.examples.search.load.Capacity;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.load.LoadResult;
import io.kipimo.examples.search.load.QueryClass;
import io.kipimo.examples.search.load.TraceSettings;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.local.ControlJobs;
import io.kipimo.local.LocalConsole;
import io.kipimo.local.LocalPlatform;
import io.kipimo.redis.RedisDecisionStore;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Runs broker, Redis, Flink with its jobs, a service and its load on this machine. There is one run for each way of
 * control, all on one trace. {@link #close} stops everything that was started.
 */
final class Demo implements AutoCloseable {
    private static final Duration WARM_UP = Duration.ofSeconds(12);

    /** Queries a second during the warm-up, before the capacity is known. */
    private static final double WARM_UP_PER_SECOND = 50;

    private static final Duration BETWEEN_RUNS = Duration.ofSeconds(7);
    private static final Duration SHORTEST_RUN = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final DemoSettings settings;
    private final List<WayOfControl> ways;
    private final DemoService.Starter starter;
    private final Optional<LocalConsole> console;
    private final Progress progress;
    private final ScratchDirectory files;

    private volatile LocalPlatform platform;
    private KafkaSettings kafka;
    private volatile CompletableFuture<DemoService> serving;
    private DemoService service;
    private TopicRecorder recorder;
    private long policyVersion;

    /**
     * Prepares a demo.
     *
     * @param ways in the order of their runs
     * @param starter of the service under load
     * @param console shown while the demo runs
     * @param files deleted with the demo
     */
    Demo(
            DemoSettings settings,
            List<WayOfControl> ways,
            DemoService.Starter starter,
            Optional<LocalConsole> console,
            Progress progress,
            ScratchDirectory files) {
        this.settings = settings;
        this.ways = ways;
        this.starter = starter;
        this.console = console;
        this.progress = progress;
        this.files = files;
    }

    DemoSummary run(Duration length, QueryMix mix, double peakUtilisation, long seed) throws Exception {
        int brokerPort = FreePorts.one();
        kafka = new KafkaSettings("127.0.0.1:" + brokerPort, Topic.DEFAULT_PREFIX, Map.of());
        // It takes longest, and needs no broker while it makes its index.
        serving = CompletableFuture.supplyAsync(() -> {
            try {
                return starter.start(kafka);
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
        startBroker(brokerPort);
        if (serving.isCompletedExceptionally()) {
            serving.get();
        }
        startJobs();
        service = serving.get();
        try (LoadGenerator generator = service.generator()) {
            QueryWriter writer = service.writer();
            warmUp(generator, writer, mix, seed);
            progress.say("measuring the capacity of this machine, with everything running");
            Capacity capacity = service.capacity(writer, mix.middle(), seed);
            progress.say(describe(capacity));
            Duration runLength = runLength(length);
            TraceSettings traceSettings =
                    TraceSettings.day(runLength, capacity.perSecond(), service.highShare(), peakUtilisation, mix, seed);
            ArrivalTrace trace = ArrivalTrace.of(traceSettings, writer);
            List<RunResult> results = new ArrayList<>();
            for (WayOfControl way : ways) {
                results.add(run(way, trace, generator, seed + way.ordinal() + 1));
            }
            return summary(capacity, traceSettings, trace, results);
        }
    }

    private void warmUp(LoadGenerator generator, QueryWriter writer, QueryMix mix, long seed)
            throws InterruptedException {
        progress.say("warming up");
        ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
        AtomicBoolean isMeasured = new AtomicBoolean();
        try {
            var unused = watch.scheduleAtFixedRate(
                    () -> {
                        if (recorder.hasMeasurements() && !isMeasured.getAndSet(true)) {
                            progress.say("the first answer is measured");
                        }
                    },
                    100,
                    100,
                    TimeUnit.MILLISECONDS);
            generator.run(
                    service.target(),
                    ArrivalTrace.of(
                            TraceSettings.day(WARM_UP, WARM_UP_PER_SECOND, service.highShare(), 1, mix, seed), writer),
                    seed);
        } finally {
            watch.shutdownNow();
        }
    }

    private Duration runLength(Duration length) {
        Duration left = length.minus(service.setup()).dividedBy(ways.size()).minus(BETWEEN_RUNS);
        return left.compareTo(SHORTEST_RUN) < 0 ? SHORTEST_RUN : Duration.ofSeconds(left.toSeconds());
    }

    private void startBroker(int port) throws Exception {
        platform = LocalPlatform.start(port, progress);
        publish(WayOfControl.FULL_SHARING, true);
        if (console.isPresent()) {
            platform.keep(console.get().open(kafka, progress));
        }
        progress.say("to look by command: kipimo status --bootstrap-servers "
                + kafka.bootstrapServers()
                + "; also worst, doctor, tail quality");
    }

    private void startJobs() throws Exception {
        progress.say("starting the quality, admission and tails jobs");
        ControlJobs.start(platform);
        recorder = platform.keep(new TopicRecorder(kafka));
    }

    private static String describe(Capacity capacity) {
        return Phrase.of(
                "Saturated, and with everything running, the service answers %.0f queries of the middle mix a second%s.",
                capacity.perSecond(), capacity.steady() ? "" : " (still changing at the time of the reading)");
    }

    private RunResult run(WayOfControl way, ArrivalTrace whole, LoadGenerator generator, long runSeed)
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
            var unused = ticker.scheduleAtFixedRate(() -> tick(way, from, trace.duration()), 1, 1, TimeUnit.SECONDS);
            load = generator.run(service.target(), trace, runSeed);
        } finally {
            ticker.shutdownNow();
        }
        long until = from + trace.duration().toMillis();
        // Include late results: wait for the end of the expiration window and of the sliding
        // windows.
        TimeUnit.MILLISECONDS.sleep(settings.expirationWindowMillis() + 2_000);
        RunResult result = new RunAnalysis(recorder, settings, service.components()).analyse(way, from, until, load);
        progress.say(Phrase.of(
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
        String figures = recorder.windows(now - 5_000, now).stream()
                .filter(w -> w.kind() == WindowKind.SLIDING)
                .filter(w -> w.queryClass().equals(WayOfControl.HIGH))
                .filter(w -> w.estimate().isPresent())
                .max(Comparator.comparingLong(QualityWindow::endMillis))
                .map(w -> Phrase.of(
                        "quality %.3f, time-outs %.0f %%", w.estimate().get().mean(), 100 * w.timeOutShare()))
                .orElse("quality not yet known");
        String fraction = recorder.decisions(now - 5_000, now).stream()
                .filter(d -> d.scope().equals(DemoService.NAME + "/" + WayOfControl.LOW))
                .max(Comparator.comparingLong(Decision::issuedAtMillis))
                .map(d -> Phrase.of(", low class at %.0f %%", 100 * d.value()))
                .orElse("");
        progress.at(way.title(), (now - from) / (double) length.toMillis(), figures + fraction);
    }

    private boolean isDecided(long version) {
        long now = System.currentTimeMillis();
        return recorder.decisions(now - PATIENCE.toMillis(), now + 1).stream()
                .anyMatch(d ->
                        d.configVersion() == version && d.scope().equals(DemoService.NAME + "/" + WayOfControl.LOW));
    }

    /** Returns whether the service reports this admitted fraction. It approaches a new fraction in steps. */
    private boolean isInForce(double fraction) {
        if (service.admitted().isPresent()) {
            return Math.abs(service.admitted().getAsDouble() - Math.max(service.floor(), fraction)) < 1e-5;
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
        policyVersion = PolicyStore.change(
                        kafka,
                        DemoService.NAME,
                        stored -> prepared
                                ? way.prepared(DemoService.NAME, settings)
                                : way.running(DemoService.NAME, settings))
                .version();
    }

    private static ArrivalTrace highOnly(ArrivalTrace trace) {
        return new ArrivalTrace(
                trace.duration(),
                trace.arrivals().stream()
                        .filter(a -> a.queryClass() == QueryClass.HIGH)
                        .toList());
    }

    private static void await(String what, BooleanSupplier condition) {
        Await.until(condition, PATIENCE, () -> what + " did not come within " + PATIENCE.toSeconds() + " s");
    }

    private DemoSummary summary(
            Capacity capacity, TraceSettings traceSettings, ArrivalTrace trace, List<RunResult> results)
            throws Exception {
        List<String> notes = new ArrayList<>();
        notes.add(Phrase.of(
                "One trace of %d s for every run: %,d queries, high class %.0f/s, low class up to %.0f/s, "
                        + "mix '%s', which changes twice.",
                trace.duration().toSeconds(),
                trace.arrivals().size(),
                traceSettings.highPerSecond(),
                traceSettings.lowPeakPerSecond(),
                traceSettings.mix().name()));
        notes.add(Phrase.of(
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
        notes.addAll(service.notes());
        notes.add(whatRedisHolds());
        for (RunResult run : results) {
            if (run.sendLagP99Millis() > 5) {
                notes.add(Phrase.of(
                        "%s: the load generator itself was up to %.1f ms late (p99), so its latencies include "
                                + "delays of the machine.",
                        run.way().title(), run.sendLagP99Millis()));
            }
        }
        return new DemoSummary(service.description(), describe(capacity), settings.objective(), results, notes);
    }

    private String whatRedisHolds() {
        if (platform.redis().isEmpty()) {
            return "Redis did not run.";
        }
        try (RedisDecisionStore store = RedisDecisionStore.at(platform.redis().get())) {
            return store.get(Decision.ADMISSION, DemoService.NAME + "/" + WayOfControl.LOW)
                    .map(d -> "Redis holds the last decision for those who poll: epoch "
                            + d.epoch()
                            + ", sequence "
                            + d.sequence()
                            + ".")
                    .orElse("Redis holds no decision.");
        }
    }

    @Override
    public void close() {
        if (serving != null) {
            var unused = serving.thenAccept(DemoService::close);
        }
        if (platform != null) {
            platform.close();
        }
        files.close();
    }
}
