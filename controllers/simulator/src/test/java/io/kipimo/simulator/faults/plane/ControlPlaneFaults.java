package io.kipimo.simulator.faults.plane;

import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.guard.ActuatorConfig;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.simulator.control.VirtualClock;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.RandomStream;
import io.kipimo.simulator.engine.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One random history of the control plane. Attempts of the controller run the product's loop: each claims a greater
 * epoch than those before it, and a replaced one may go on for a while without noticing. Their decisions reach each
 * actuator late, out of order, twice or not at all, and some are garbled. They also reach a store that actuators poll,
 * and that sometimes returns with older data. Actuators restart, and their clocks jump.
 *
 * <p>Invariants, after every event: no decision that is invalid, stale or older than one applied before is applied; the
 * fraction in force is always possible; no decision outlives its lease.
 */
final class ControlPlaneFaults {
    private static final int ACTUATORS = 3;
    private static final double WINDOW_SECONDS = 10;
    private static final AdmissionLoop ADMISSION = new AdmissionLoop();

    private final long seed;
    private final Policy policy;
    private final String scope;
    private final Engine engine = new Engine();
    private final RandomStream random;
    private final List<SimulatedActuator> actuators = new ArrayList<>();
    private final SimulatedStore store = new SimulatedStore();
    private long epochs;
    private long digest;
    private Optional<InvariantViolation> violation = Optional.empty();

    private ControlPlaneFaults(long seed, Policy policy) {
        this.seed = seed;
        this.policy = policy;
        this.random = RandomStream.of(seed, "control plane");
        String lower = policy.classes().stream()
                .filter(c -> c.priority() != policy.highestClass().priority())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("policy has one priority; allowed: two and more"))
                .name();
        this.scope = new ServiceClass(policy.service(), lower).toString();
        for (int i = 0; i < ACTUATORS; i++) {
            actuators.add(new SimulatedActuator(ActuatorConfig.admission(scope, 0.5)));
        }
    }

    /**
     * Runs a history; deterministic.
     *
     * @param policy of two classes at least, not in shadow mode
     * @return the same every time
     */
    public static FaultHistory run(long seed, Policy policy, double seconds) {
        ControlPlaneFaults faults = new ControlPlaneFaults(seed, policy);
        faults.attempt();
        faults.disturb();
        faults.checkInvariants();
        while (faults.violation.isEmpty() && faults.engine.nowNanos() < Times.nanos(seconds) && faults.engine.step()) {
            faults.check();
        }
        return new FaultHistory(
                faults.violation,
                faults.actuators.stream().mapToLong(SimulatedActuator::applied).sum(),
                faults.actuators.stream().mapToLong(SimulatedActuator::refused).sum(),
                faults.digest);
    }

    /** One attempt of the controller's job, until it ends, or notices that it is replaced. */
    private final class Attempt {
        final long epoch = ++epochs;
        final double skewSeconds = chance(0.1) ? 120 * random.nextDouble() - 60 : 0;
        AdmissionState state = AdmissionState.initial();
        long lastEndMillis = millis();
        boolean ended;

        void window() {
            if (ended) {
                return;
            }
            long now = millis() + Math.round(1000 * skewSeconds);
            long end = Math.max(lastEndMillis + 1, now - random.nextInt(2000));
            StepContext<Policy> context = new StepContext<>(policy, MoverTurn.FREE, epoch, now);
            publish(ADMISSION.step(state, batch(lastEndMillis, end), context));
            lastEndMillis = end;
            publish(ADMISSION.heartbeat(state, context));
            after(WINDOW_SECONDS * (0.5 + random.nextDouble()), this::window);
        }

        private void publish(Step<AdmissionState, Decision> step) {
            state = step.next();
            step.decisions().forEach(ControlPlaneFaults.this::send);
        }
    }

    private void attempt() {
        Attempt attempt = new Attempt();
        attempt.window();
        double life = 20 + 200 * random.nextExponential();
        boolean isZombie = chance(0.5);
        after(life, this::attempt);
        after(isZombie ? life + 60 * random.nextDouble() : life, () -> attempt.ended = true);
    }

    private QualityWindow batch(long start, long end) {
        double mean = random.nextDouble();
        Estimate estimate = new Estimate(mean * 0.9, mean, Math.min(1, mean + 0.05));
        int samples = random.nextInt(40);
        return QualityWindow.builder()
                .service(policy.service())
                .queryClass(policy.highestClass().name())
                .metric(policy.metrics().get(0))
                .kind(WindowKind.BATCH)
                .startMillis(start)
                .endMillis(end)
                .offered(100)
                .answered(100)
                .timedOut(random.nextInt(100))
                .samples(samples)
                .degradedSamples(samples / 2)
                .expired(samples / 4)
                .estimate(chance(0.1) ? Optional.empty() : Optional.of(estimate))
                .averaged(Optional.of(estimate))
                .averagedSamples(samples)
                .objective(policy.highestClass().objective())
                .lossPerTimeOut(Optional.of(1 - mean))
                .build();
    }

    private void send(Decision decision) {
        Decision sent = chance(0.02) ? garbled(decision) : decision;
        for (SimulatedActuator actuator : actuators) {
            int times = chance(0.1) ? 0 : chance(0.1) ? 2 : 1;
            for (int i = 0; i < times; i++) {
                double delay = chance(0.1) ? 100 * random.nextExponential() : 0.1 * random.nextDouble();
                after(delay, () -> offer(actuator, sent));
            }
        }
        if (!chance(0.1)) {
            after(0.1 * random.nextDouble(), () -> store.put(sent, millis()));
        }
    }

    private void offer(SimulatedActuator actuator, Decision decision) {
        for (long part : new long[] {
            engine.nowNanos(),
            actuators.indexOf(actuator),
            decision.epoch(),
            decision.sequence(),
            Double.doubleToLongBits(decision.value())
        }) {
            digest = RandomStream.mix(digest, part);
        }
        reportBroken(actuator.offer(decision, millis()));
    }

    /** Lets actuators poll the store, and checks the invariants. */
    private void checkInvariants() {
        for (SimulatedActuator actuator : actuators) {
            store.get(millis()).ifPresent(held -> offer(actuator, held));
        }
        after(30 * random.nextDouble(), this::checkInvariants);
    }

    private Decision garbled(Decision d) {
        double[] values = {Double.NaN, -1, 2, Double.POSITIVE_INFINITY};
        boolean otherScope = chance(0.3);
        return DecisionBuilder.builder(d)
                .scope(otherScope ? scope + "x" : d.scope())
                .validUntilMillis(chance(0.3) ? Long.MAX_VALUE : d.validUntilMillis())
                .value(otherScope ? d.value() : values[random.nextInt(values.length)])
                .build();
    }

    /** Restarts an actuator or sets its clock, at random times. */
    private void disturb() {
        after(30 * random.nextExponential(), () -> {
            SimulatedActuator one = actuators.get(random.nextInt(ACTUATORS));
            if (chance(0.3)) {
                store.save();
            } else if (chance(0.2)) {
                store.restore(millis());
            } else if (chance(0.5)) {
                one.jump(chance(0.3) ? 0 : random.nextLong(-3_600_000, 3_600_000));
            } else {
                one.restart(millis());
            }
            disturb();
        });
    }

    private void check() {
        for (SimulatedActuator actuator : actuators) {
            reportBroken(actuator.check(millis()));
        }
    }

    private void reportBroken(Optional<String> broken) {
        if (violation.isEmpty()) {
            violation = broken.map(b -> new InvariantViolation(seed, Times.seconds(engine.nowNanos()), b));
        }
    }

    private boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    private long millis() {
        return VirtualClock.millis(engine.nowNanos());
    }

    private void after(double seconds, Runnable what) {
        engine.schedule(engine.nowNanos() + Times.nanos(seconds), n -> what.run(), 0);
    }
}
