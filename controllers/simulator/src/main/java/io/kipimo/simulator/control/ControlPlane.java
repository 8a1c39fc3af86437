package io.kipimo.simulator.control;

import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.guard.ControlWindows;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.core.quality.join.JoinResult;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.quality.window.QualityWindows;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.core.sampling.SamplingLoop;
import io.kipimo.core.sampling.SamplingMemory;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.RandomStream;
import io.kipimo.simulator.faults.MessageFaults;
import io.kipimo.simulator.service.FrontEndModel;
import io.kipimo.simulator.service.ItemMap;
import io.kipimo.simulator.service.Placement;
import io.kipimo.simulator.service.Query;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.service.SimulatedService;
import io.kipimo.simulator.service.TierSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The closed control loop. Sampled answers and partial results are joined and measured; measurements and counts form
 * windows; batches trigger the admission controller; its decisions reach the actuators, which admit by hash. The log
 * between these parts delays all messages. If the scenario says so, it also loses some, repeats some, and delays some
 * further.
 */
public final class ControlPlane implements FrontEndModel {
    private static final long SECOND_MILLIS = 1000;
    private static final long EPOCH = 1;
    private static final AdmissionLoop ADMISSION = new AdmissionLoop();
    private static final SamplingLoop SAMPLING = new SamplingLoop();

    private final VirtualClock clock;
    private final ServiceSpec service;
    private final ControlSpec spec;
    private final Policy policy;
    private final Watcher watcher;
    private final Gates gates;
    private final Optional<OtherAdmission> other;
    private final List<String> components;
    private final List<String> scopes = new ArrayList<>();
    private final List<Meter> meters = new ArrayList<>();
    private final Map<String, ClassWindows> windows = new HashMap<>();

    /** Choice of components by class, only for the classes that may ask fewer components. */
    private final Map<String, FanOutPlane> fanOut = new LinkedHashMap<>();

    private final QualityJoiner joiner;
    private final PlainEstimates plain;
    private final RandomStream logRandom;
    private long samplingThreshold;
    private SamplingMemory sampling = SamplingMemory.initial();
    private ItemMap items;
    private TrueQuality truth;
    private AdmissionState admission = AdmissionState.initial();

    /**
     * @param other admission that decides in place of the decisions
     * @param seed seed of the log's faults
     */
    public ControlPlane(
            Engine engine,
            ServiceSpec service,
            ControlSpec spec,
            Optional<OtherAdmission> other,
            Watcher watcher,
            long seed) {
        this.other = other;
        this.clock = new VirtualClock(engine);
        this.service = service;
        this.spec = spec;
        this.policy = spec.policy();
        this.watcher = watcher;
        this.gates = new Gates(policy, spec.admitsLower());
        TierSpec tier = service.tiers().get(0);
        this.components = IntStream.range(0, tier.partitions())
                .mapToObj(p -> tier.name() + '-' + p)
                .toList();
        service.classes().forEach(c -> {
            scopes.add(new ServiceClass(policy.service(), c.name()).toString());
            meters.add(new Meter(c.name(), components, spec.estimator() != ControlSpec.ControlEstimator.STRATIFIED));
            windows.put(c.name(), new ClassWindows());
        });
        policy.fanOut().ifPresent(f -> f.classes().forEach(c -> fanOut.put(c, new FanOutPlane(policy, c))));
        this.joiner = new QualityJoiner(
                QualitySettings.of(policy),
                clock,
                Math.round(spec.outOfOrderSeconds() * 1000),
                this::measured,
                policy.fanOut().map(f -> QualitySettings.of(policy)),
                this::profiled);
        this.plain = new PlainEstimates(policy.windowMillis());
        this.logRandom = RandomStream.of(seed, "log");
        SAMPLING.heartbeat(sampling, context()).decision().ifPresent(d -> sample(d.value()));
    }

    /** Starts counting, and sends the first heartbeat. */
    public void start(SimulatedService model) {
        items = model.items();
        truth = new TrueQuality(policy, items, components, service.topK());
        clock.after(1, n -> second());
        clock.at(VirtualClock.START_MILLIS + policy.slideMillis(), n -> slide());
        heartbeat();
        other.ifPresent(o -> o.start(clock.engine(), model));
    }

    /** Number of events by the result of their join. */
    public Map<JoinResult, Long> fates() {
        return Map.copyOf(joiner.fates());
    }

    /** The admitted fraction of a class in force. */
    public double fraction(int classIndex) {
        return gates.fraction(scopes.get(classIndex), clock.millis());
    }

    @Override
    public boolean admits(Query query) {
        Meter meter = meters.get(query.classIndex());
        double cost = predictedCost(query);
        meter.offered(cost);
        if (other.isPresent()
                ? other.get().admits(query)
                : gates.admits(scopes.get(query.classIndex()), query.id(), cost, clock.millis())) {
            return true;
        }
        meter.rejected();
        return false;
    }

    @Override
    public void choose(Query query) {
        FanOutPlane plane = fanOut.get(className(query));
        if (plane == null) {
            return;
        }
        FanOutChoice choice = plane.choose(query.id(), features(query), components, clock.millis());
        if (choice.asked().size() < components.size()) {
            boolean[] asked = new boolean[components.size()];
            choice.asked().forEach(name -> asked[components.indexOf(name)] = true);
            query.ask(asked, choice.expectedLoss());
        }
    }

    @Override
    public boolean isSampled(Query query) {
        return other.isEmpty()
                && (ConsistentSampling.randomness(query.id()) >= samplingThreshold
                        || isExplored(query, clock.millis()));
    }

    /**
     * Whether a query is explored. A component does not know a query's class, so the greatest share of all classes
     * counts.
     */
    private boolean isExplored(Query query, long nowMillis) {
        double most = 0;
        for (FanOutPlane plane : fanOut.values()) {
            most = Math.max(most, plane.explorationAt(nowMillis));
        }
        return most > 0 && Exploration.isExplored(query.id(), most);
    }

    private String className(Query query) {
        return service.classes().get(query.classIndex()).name();
    }

    private Features features(Query query) {
        return service.topics()
                .map(topics -> topics.features(query.topic(), query.seed()))
                .orElse(Features.NONE);
    }

    @Override
    public void answered(Query query) {
        other.ifPresent(o -> o.answered(query));
        meters.get(query.classIndex()).answered(query, predictedCost(query), query.expectedLoss());
        boolean degraded = query.isDegraded();
        watcher.answered(query, degraded, degraded || query.isTrimmed() ? truth.of(query) : 1);
        if (query.keepsLateWork()) {
            emit(QueryEvent.of(answer(query)));
            Placement placement = items.placementOf(query);
            for (int p = 0; p < components.size(); p++) {
                if (query.outcome(p) == Outcome.IN_TIME) {
                    emit(QueryEvent.of(partial(query, p, Phase.ONLINE, placement)));
                }
            }
        }
    }

    @Override
    public void lateResult(Query query, int partition) {
        meters.get(query.classIndex())
                .lateResult(query.startedNanos() + query.latencyNanos(partition) - query.answeredNanos());
        emit(QueryEvent.of(partial(query, partition, Phase.MATURE, items.placementOf(query))));
    }

    private double predictedCost(Query query) {
        return service.kinds().get(query.kind()).predictedCost();
    }

    private Answer answer(Query query) {
        List<Invocation> invocations = new ArrayList<>(components.size());
        for (int p = 0; p < components.size(); p++) {
            invocations.add(new Invocation(components.get(p), query.outcome(p), query.latencyNanos(p) / 1000));
        }
        return AnswerBuilder.builder()
                .service(policy.service())
                .queryId(query.id())
                .queryClass(className(query))
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(VirtualClock.millis(query.startedNanos()))
                .answeredAtMillis(VirtualClock.millis(query.answeredNanos()))
                .deadlineMillis((int) Math.min(Integer.MAX_VALUE, service.deadlineSeconds() * 1000))
                .topK(service.topK())
                .invocations(invocations)
                .items(Items.NONE)
                .features(fanOut.isEmpty() ? Features.NONE : features(query))
                .notAskedLoss(query.isTrimmed() ? Optional.of(query.expectedLoss()) : Optional.empty())
                .explored(fanOut.containsKey(className(query))
                        && isExplored(query, VirtualClock.millis(query.startedNanos())))
                .build();
    }

    private PartialResult partial(Query query, int partition, Phase phase, Placement placement) {
        long latencyNanos = query.latencyNanos(partition);
        return PartialResultBuilder.builder()
                .service(policy.service())
                .queryId(query.id())
                .component(components.get(partition))
                .server("")
                .phase(phase)
                .completedAtMillis(VirtualClock.millis(query.startedNanos() + latencyNanos))
                .latencyMicros(latencyNanos / 1000)
                .items(placement.itemsIn(partition))
                .build();
    }

    private void emit(QueryEvent event) {
        onLog(() -> joiner.accept(event));
    }

    /** Sends a message over the log, which delays it and may lose, repeat or further delay it. */
    private void onLog(Runnable received) {
        MessageFaults faults = service.faults().log();
        int times = faults.isNone() ? 1 : faults.copies(logRandom);
        for (int i = 0; i < times; i++) {
            double late = faults.isNone() ? 0 : faults.lateness(logRandom);
            clock.after(spec.logDelaySeconds() + late, n -> received.run());
        }
    }

    private void measured(Measurement measurement) {
        watcher.measured(measurement);
        // The class of an orphan is unknown; it counts for none.
        if (measurement.completeness() != Completeness.ORPHAN) {
            QualityWindows.add(windows.get(measurement.queryClass()), policy, measurement);
            if (measurement.queryClass().equals(policy.highestClass().name())) {
                plain.add(measurement);
            }
        }
    }

    private void profiled(QueryProfile profile) {
        FanOutPlane plane = fanOut.get(profile.queryClass());
        if (plane != null) {
            plane.profiled(profile);
        }
    }

    private void second() {
        long secondMillis = clock.millis() / SECOND_MILLIS * SECOND_MILLIS - SECOND_MILLIS;
        for (int c = 0; c < meters.size(); c++) {
            Observation observation = meters.get(c).take(policy, secondMillis, fraction(c));
            watcher.counted(observation);
            onLog(() -> observed(observation));
        }
        clock.after(1, n -> second());
    }

    private void observed(Observation observation) {
        ClassWindows state = windows.get(observation.queryClass());
        for (QualityWindow window : QualityWindows.add(state, policy, observation)) {
            QualityWindow given = spec.estimator() == ControlSpec.ControlEstimator.PLAIN
                            && ControlWindows.steers(window, WindowKind.BATCH, policy)
                    ? plain.replace(window)
                    : window;
            watcher.estimated(given);
            publish(ADMISSION.step(admission, given, context()));
        }
    }

    private void slide() {
        long endMillis = clock.millis() / policy.slideMillis() * policy.slideMillis();
        // Events of the slide may still be in transit.
        clock.after(
                spec.outOfOrderSeconds() + spec.logDelaySeconds(),
                n -> windows.forEach((name, state) ->
                        QualityWindows.closeSlide(state, policy, policy.service(), name, endMillis).stream()
                                .filter(w -> w.kind() == WindowKind.SLIDING)
                                .forEach(this::slid)));
        for (FanOutPlane plane : fanOut.values()) {
            plane.slide(endMillis).ifPresent(p -> onLog(() -> plane.offer(p)));
        }
        clock.at(endMillis + policy.slideMillis(), n -> slide());
    }

    private void slid(QualityWindow window) {
        watcher.estimated(window);
        Step<SamplingMemory, Decision> step = SAMPLING.step(sampling, window, context());
        sampling = step.next();
        step.decision().ifPresent(d -> onLog(() -> sample(d.value())));
    }

    private void sample(double rate) {
        samplingThreshold = ConsistentSampling.threshold(rate);
    }

    private void heartbeat() {
        publish(ADMISSION.heartbeat(admission, context()));
        clock.after(policy.admission().periodMillis() / 1000.0, n -> heartbeat());
    }

    /**
     * Returns the context of a step. The lock in it is free, since a scenario's replicator, if any, runs beside this
     * loop without a lock.
     */
    private StepContext<Policy> context() {
        return new StepContext<>(policy, MoverTurn.FREE, EPOCH, clock.millis());
    }

    private void publish(Step<AdmissionState, Decision> step) {
        admission = step.next();
        for (Decision decision : step.decisions()) {
            watcher.decided(decision);
            onLog(() -> gates.offer(decision, clock.millis()));
        }
    }
}
