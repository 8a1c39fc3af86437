package io.kipimo.bench.steering;

import io.kipimo.embedded.process.Await;
import io.kipimo.examples.search.SearchService;
import io.kipimo.examples.search.frontend.FrontEndSettings;
import io.kipimo.examples.search.frontend.KipimoTelemetry;
import io.kipimo.examples.search.frontend.Telemetry;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.load.LoadTarget;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.ServerReporter;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The search service under one way of sharing, with a name of its own. All ways use one index and one JVM, so that all
 * are equally warm. Only one way has load at a time.
 */
final class SteeredService implements AutoCloseable {
    private static final double FLOOR = 0.02;
    private static final double SAFE_FRACTION = 0.2;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Way way;
    private final SteeringSettings settings;
    private final KafkaSettings kafka;
    private final double timeOutObjective;
    private final Optional<Kipimo> kipimo;
    private final SearchService service;

    /**
     * Starts the service and publishes its policy.
     *
     * @param timeOutObjective set point of {@link Way#TIME_OUTS}
     */
    SteeredService(
            Way way, SteeringSettings settings, double timeOutObjective, PartitionedIndex index, KafkaSettings kafka) {
        this.way = way;
        this.settings = settings;
        this.kafka = kafka;
        this.timeOutObjective = timeOutObjective;
        String name = way.service();
        publish(1, settings.samplingRate());
        kipimo = way.signal()
                .map(signal -> Kipimo.connect(KipimoConfig.builder(name, name, kafka)
                        .initialSamplingRate(settings.samplingRate())
                        .profilingShare(1)
                        .queryClass(SearchService.HIGH, ClassDefaults.ALL)
                        .queryClass(SearchService.LOW, ClassDefaults.sheddable(FLOOR))
                        .build()));
        service = SearchService.start(
                index,
                new FrontEndSettings(
                        name,
                        name,
                        Duration.ofMillis(settings.deadlineMillis()),
                        Duration.ofMillis(settings.expirationWindowMillis()),
                        settings.topK()),
                SearchService.Ports.FREE,
                settings.queueCapacity(),
                way.order(),
                true,
                telemetry(),
                ServerReporter::silent);
    }

    private Telemetry telemetry() {
        if (way == Way.CONCURRENCY_LIMITS) {
            return new ConcurrencyLimits(settings.leastConcurrency());
        }
        return kipimo.<Telemetry>map(k -> new KipimoTelemetry(k, way.isTrimmed()))
                .orElse(Telemetry.NONE);
    }

    private void publish(long version, double samplingRate) {
        way.signal().ifPresent(signal -> PolicyStore.publish(kafka, policy(signal, version, samplingRate)));
    }

    /** Makes the service measure all queries from now on, so that a model learns soon. */
    void measureAll() throws InterruptedException {
        publish(2, 1);
        await("the sampling rate", k -> k.emitter().samplingRate() >= 1);
    }

    /** Makes the service measure the usual share of the queries from now on. */
    void measureSome() {
        publish(3, settings.samplingRate());
    }

    private Policy policy(Signal signal, long version, double samplingRate) {
        return Policy.builder()
                .service(way.service())
                .version(version)
                .metrics(List.of("tpr@" + settings.topK()))
                .topK(settings.topK())
                .expirationWindowMillis(settings.expirationWindowMillis())
                .windowMillis(settings.windowMillis())
                .slideMillis(1_000)
                .classes(List.of(
                        ClassPolicy.builder()
                                .name(SearchService.HIGH)
                                .priority(0)
                                .objective(settings.objective())
                                .floor(1)
                                .build(),
                        ClassPolicy.builder()
                                .name(SearchService.LOW)
                                .priority(1)
                                .safeFraction(SAFE_FRACTION)
                                .floor(FLOOR)
                                .costOrder(way.isCostliestFirst() ? settings.costOrder() : 0)
                                .build()))
                .admission(AdmissionPolicy.builder()
                        .controller(ControllerKind.PID)
                        .signal(signal)
                        .shadow(false)
                        .kp(settings.kp())
                        .ki(settings.ki())
                        .timeOutObjective(timeOutObjective)
                        .periodMillis(settings.periodMillis())
                        .minimumRatePerSecond(1)
                        .deadBand(0.005)
                        .staleAfterPeriods(5)
                        .leaseMillis(10_000)
                        .decayMillis(5_000)
                        .build())
                .sampling(SamplingPolicy.builder()
                        .maximumRate(1)
                        .fixedRate(samplingRate)
                        .build())
                .fanOut(way.isTrimmed() ? Optional.of(fanOut()) : Optional.empty())
                .build();
    }

    private FanOutPolicy fanOut() {
        return FanOutPolicy.builder()
                .classes(List.of(SearchService.LOW))
                .floor(settings.fanOutFloor())
                .exploration(settings.exploration())
                .shadow(false)
                .periodMillis(10_000)
                // Longer than the runs of the other ways, in which nothing is learned.
                .leaseMillis(TimeUnit.HOURS.toMillis(12))
                .build();
    }

    /** State and reason of the published choice of components for the low class. */
    String fanOutState() {
        return kipimo.flatMap(k -> k.fanOut().publication(SearchService.LOW))
                .map(p -> p.state() + ", " + p.reason())
                .orElse("nothing is published");
    }

    /**
     * Waits for the first decision, if the way of sharing has any.
     *
     * @throws IllegalStateException if it does not come
     */
    void awaitControl() throws InterruptedException {
        await("a decision", k -> k.admission().inForce(SearchService.LOW).isPresent());
    }

    /**
     * Waits until the service has a model that has learned enough queries, even if the published choice does not use
     * it.
     *
     * @throws IllegalStateException if it does not come
     */
    void awaitFanOut(long queries) throws InterruptedException {
        await("a model of " + queries + " queries", k -> k.fanOut()
                .publication(SearchService.LOW)
                .filter(p -> p.queries() >= queries)
                .isPresent());
    }

    private void await(String what, Predicate<Kipimo> isThere) throws InterruptedException {
        if (kipimo.isEmpty()) {
            return;
        }
        Await.until(
                () -> isThere.test(kipimo.get()),
                PATIENCE,
                () -> way.title() + ": not within " + PATIENCE.toSeconds() + " s: " + what);
    }

    LoadTarget target() {
        return new LoadTarget(service.ports().high(), service.ports().low());
    }

    int calibrationPort() {
        return service.ports().calibration();
    }

    @Override
    public void close() {
        service.close();
        kipimo.ifPresent(Kipimo::close);
    }
}
