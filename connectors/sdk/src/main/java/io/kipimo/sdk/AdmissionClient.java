package io.kipimo.sdk;

import io.kipimo.core.admission.HashAdmission;
import io.kipimo.core.guard.ActuatorChecks;
import io.kipimo.core.guard.ActuatorConfig;
import io.kipimo.core.guard.ActuatorResult;
import io.kipimo.core.guard.ActuatorState;
import io.kipimo.core.guard.ActuatorVerdict;
import io.kipimo.schemas.decision.Decision;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Tells which queries are admitted. It follows the admission topic, takes a decision only after the
 * actuator's own checks, and goes to the class's safe fraction when decisions cease. Reads take no
 * lock.
 *
 * <p>A class that the configuration does not name is refused with {@link IllegalArgumentException}.
 */
public final class AdmissionClient {
    /** Refused before the checks: no record of a decision. */
    public static final String UNREADABLE = "UNREADABLE";

    /** What is in force: the guard's state and the decision that led to it. */
    private record Taken(ActuatorState state, Optional<Decision> decision) {}

    private static final class Gate {
        final ActuatorConfig config;
        volatile Taken taken;
        volatile long heardOfMillis;

        Gate(ActuatorConfig config, long nowMillis) {
            this.config = config;
            this.heardOfMillis = nowMillis;
            this.taken = new Taken(ActuatorState.initial(config), Optional.empty());
        }
    }

    private final String service;
    private final Map<String, Gate> gates = new LinkedHashMap<>();
    private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();
    private final InstantSource wall;
    private final LongSupplier monotonicMillis;

    /**
     * @param monotonicMillis milliseconds of a clock that is never set
     */
    AdmissionClient(KipimoConfig config, InstantSource wall, LongSupplier monotonicMillis) {
        this.service = config.service();
        this.wall = wall;
        this.monotonicMillis = monotonicMillis;
        config.classes()
                .forEach(
                        (name, defaults) ->
                                gates.put(name, new Gate(checks(name, defaults), wall.millis())));
    }

    private ActuatorConfig checks(String queryClass, ClassDefaults defaults) {
        String scope = service + '/' + queryClass;
        ActuatorConfig base = ActuatorConfig.admission(scope, defaults.safeFraction());
        return new ActuatorConfig(
                base.controller(),
                scope,
                defaults.floor(),
                defaults.ceiling(),
                defaults.safeFraction(),
                base.slewUpPerSecond(),
                base.slewDownPerSecond(),
                base.maximumAgeMillis(),
                base.longestLeaseMillis(),
                base.decayMillis(),
                false,
                OptionalDouble.empty());
    }

    /**
     * Whether a query is admitted. The same id gets the same answer everywhere and on a retry, for
     * about an hour.
     */
    public boolean admits(String queryClass, String queryId) {
        return HashAdmission.admits(queryId, fraction(queryClass), wall.millis());
    }

    /** The admitted fraction in force, 0..1. */
    public double fraction(String queryClass) {
        Gate gate = gate(queryClass);
        return ActuatorChecks.fractionInForce(
                gate.config, gate.taken.state(), wall.millis(), monotonicMillis.getAsLong());
    }

    /** The decision behind the fraction in force; empty without one, or after its lease. */
    public Optional<Decision> inForce(String queryClass) {
        long now = wall.millis();
        return gate(queryClass).taken.decision().filter(d -> now < d.validUntilMillis());
    }

    /**
     * Since the newest decision that was taken, or would have been if it were no shadow, was
     * issued, milliseconds; before the first one, since this client began to listen.
     */
    public long decisionAgeMillis(String queryClass) {
        return wall.millis() - gate(queryClass).heardOfMillis;
    }

    /**
     * How many decisions for this service were refused, by {@link ActuatorVerdict} name or {@link
     * #UNREADABLE}.
     */
    public Map<String, Long> refusals() {
        Map<String, Long> counts = new TreeMap<>();
        refusals.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }

    /** Takes or refuses a decision; called by one thread. */
    void offer(Decision decision) {
        if (!decision.scope().startsWith(service + '/')) {
            return;
        }
        Gate gate = gates.get(decision.scope().substring(service.length() + 1));
        if (gate == null) {
            refuse(ActuatorVerdict.OTHER_SCOPE.name());
            return;
        }
        ActuatorResult result =
                ActuatorChecks.offer(
                        gate.config,
                        gate.taken.state(),
                        decision,
                        wall.millis(),
                        monotonicMillis.getAsLong());
        if (result.verdict().isApplied()) {
            gate.taken = new Taken(result.state(), Optional.of(decision));
        } else {
            refuse(result.verdict().name());
        }
        if (result.verdict().isApplied() || result.verdict() == ActuatorVerdict.SHADOW) {
            gate.heardOfMillis = decision.issuedAtMillis();
        }
    }

    void unreadable() {
        refuse(UNREADABLE);
    }

    private void refuse(String reason) {
        refusals.computeIfAbsent(reason, r -> new LongAdder()).increment();
    }

    private Gate gate(String queryClass) {
        return KipimoConfig.declared(gates, queryClass);
    }
}
