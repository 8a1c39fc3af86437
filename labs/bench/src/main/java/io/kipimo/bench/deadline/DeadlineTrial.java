package io.kipimo.bench.deadline;

import io.kipimo.core.quality.deadline.DeadlineCurves;
import io.kipimo.core.quality.deadline.DeadlinePane;
import io.kipimo.core.quality.deadline.QueryReplay;
import io.kipimo.core.quality.join.ContributionHistory;
import io.kipimo.core.quality.window.GateEvidence;
import io.kipimo.examples.search.SearchService;
import io.kipimo.examples.search.component.QueueOrder;
import io.kipimo.examples.search.frontend.FrontEndSettings;
import io.kipimo.examples.search.frontend.KipimoTelemetry;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.load.LoadResult;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.ServerReporter;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.List;

/**
 * A service with a fixed deadline under its own name, and its telemetry. All trials share an index and a JVM, so that
 * all are equally warm. One at a time has load.
 */
final class DeadlineTrial implements AutoCloseable {
    static final Duration EXPIRATION_WINDOW = Duration.ofSeconds(2);

    private static final String METRIC = "tpr@20";
    private static final int TOP_K = 20;
    private static final int QUEUE_CAPACITY = 64;

    private final String name;
    private final int deadlineMillis;
    private final Kipimo kipimo;
    private final SearchService service;
    private final DeadlinePane pane = new DeadlinePane();
    private final ContributionHistory contributions = new ContributionHistory();
    private final QueryReplay replay;
    private GateEvidence evidence;
    private double generatorLagMillis;

    DeadlineTrial(String name, int deadlineMillis, double samplingRate, PartitionedIndex index, KafkaSettings kafka) {
        this.name = name;
        this.deadlineMillis = deadlineMillis;
        this.replay = new QueryReplay(
                policy(),
                measurement -> evidence = evidence.with(measurement),
                profile -> pane.add(profile, contributions));
        this.evidence = GateEvidence.of(name, SearchService.HIGH, METRIC, 0, Long.MAX_VALUE);
        kipimo = Kipimo.connect(KipimoConfig.builder(name, name, kafka)
                .initialSamplingRate(samplingRate)
                .profilingShare(1)
                .queryClass(SearchService.HIGH, ClassDefaults.ALL)
                .queryClass(SearchService.LOW, ClassDefaults.ALL)
                .build());
        service = SearchService.start(
                index,
                new FrontEndSettings(name, name, Duration.ofMillis(deadlineMillis), EXPIRATION_WINDOW, TOP_K),
                SearchService.Ports.FREE,
                QUEUE_CAPACITY,
                QueueOrder.ARRIVAL,
                true,
                new KipimoTelemetry(kipimo),
                ServerReporter::silent);
    }

    private Policy policy() {
        return Policy.builder()
                .service(name)
                .version(1)
                .metrics(List.of(METRIC))
                .topK(TOP_K)
                .expirationWindowMillis(EXPIRATION_WINDOW.toMillis())
                .slideMillis(1_000)
                .build();
    }

    String name() {
        return name;
    }

    int deadlineMillis() {
        return deadlineMillis;
    }

    SearchService.Ports ports() {
        return service.ports();
    }

    /** Events that the SDK had to drop; if there are any, the figures are less reliable. */
    long dropped() {
        return kipimo.emitter().stats().dropped();
    }

    void ran(LoadResult load) {
        generatorLagMillis = Math.max(generatorLagMillis, load.generator().p99LagMillis());
    }

    /** Lag of the load generator, p99 of the worst run, milliseconds. */
    double generatorLagMillis() {
        return generatorLagMillis;
    }

    void add(Answer answer) {
        replay.add(answer);
    }

    void add(PartialResult partial) {
        replay.add(partial);
    }

    void add(Observation observation) {
        if (observation.queryClass().equals(SearchService.HIGH)) {
            pane.add(observation);
            evidence = evidence.with(observation);
        }
    }

    void finish() {
        replay.finish();
    }

    /** Quality of the answers. */
    Estimate measured() {
        return evidence.estimate().orElseThrow(() -> new IllegalStateException(name + " has too few measurements"));
    }

    /** Share of the answers that lacked a component, from unsampled counts. */
    double degradedShare() {
        return (double) evidence.counts().timedOut() / evidence.counts().answered();
    }

    int samples() {
        return evidence.counts().samples();
    }

    /** The advisor's curve from this trial alone. */
    DeadlineCurve curve() {
        return DeadlineCurves.curve(
                name, SearchService.HIGH, METRIC, 0, 1, EXPIRATION_WINDOW.toMillis(), List.of(pane));
    }

    @Override
    public void close() {
        service.close();
        kipimo.close();
    }
}
