package io.kipimo.sdk;

import io.kipimo.core.admission.CostOrder;
import io.kipimo.core.admission.HashAdmission;
import io.kipimo.core.guard.ActuatorChecks;
import io.kipimo.core.guard.ActuatorConfig;
import io.kipimo.core.guard.ActuatorConfigBuilder;
import io.kipimo.core.guard.ActuatorResult;
import io.kipimo.core.guard.ActuatorVerdict;
import io.kipimo.core.guard.Leased;
import io.kipimo.core.guard.Slew;
import io.kipimo.schemas.decision.Decision;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Decides which queries are admitted. It follows the admission topic, applies a decision only if it passes the
 * actuator's checks, and returns to the class's safe fraction when the lease of the last decision ends. Before the
 * first decision it admits the class's ceiling for a minute, unless the topic shows that control was lost while queries
 * were being shed. Reads take no lock.
 *
 * <p>Methods throw {@link IllegalArgumentException} for a class that the configuration does not name.
 */
public final class AdmissionClient {
    /** Reason in {@link #refusals()}: the record was not a decision. */
    public static final String UNREADABLE = "UNREADABLE";

    private static final class ClassGate {
        final ActuatorConfig config;
        volatile Leased<Slew> applied;
        volatile long newestIssuedMillis;

        ClassGate(ActuatorConfig config, long wallMillis, long monotonicMillis) {
            this.config = config;
            this.newestIssuedMillis = wallMillis;
            this.applied = ActuatorChecks.starting(config, wallMillis, monotonicMillis);
        }
    }

    private final String service;
    private final Map<String, ClassGate> gates = new LinkedHashMap<>();
    private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();
    private final InstantSource wall;
    private final LongSupplier monotonicMillis;

    /** @param monotonicMillis a monotonic clock, milliseconds */
    AdmissionClient(KipimoConfig config, InstantSource wall, LongSupplier monotonicMillis) {
        this.service = config.service();
        this.wall = wall;
        this.monotonicMillis = monotonicMillis;
        config.classes()
                .forEach((name, defaults) -> gates.put(
                        name, new ClassGate(checks(name, defaults), wall.millis(), monotonicMillis.getAsLong())));
    }

    private ActuatorConfig checks(String queryClass, ClassDefaults defaults) {
        String scope = service + '/' + queryClass;
        ActuatorConfig base = ActuatorConfig.admission(scope, defaults.safeFraction());
        return ActuatorConfigBuilder.builder(base)
                .floor(defaults.floor())
                .ceiling(defaults.ceiling())
                .build();
    }

    /**
     * Whether a query is admitted. For about an hour, the same id gets the same result in every process and on every
     * retry.
     */
    public boolean admits(String queryClass, String queryId) {
        return HashAdmission.admits(queryId, fraction(queryClass), wall.millis());
    }

    /**
     * Whether a query is admitted, given its predicted cost. If the policy's {@code cost_order} is above 0, the
     * costliest queries of the class are shed first. For about an hour and as long as decisions do not change, the same
     * id with the same cost gets the same result in every process and on every retry.
     *
     * @param cost any number that grows with the work of the query, such as the number of matching documents, in the
     *     same unit in all front ends; if it is not finite and above 0, the cost counts as unknown, and the query is
     *     admitted as by {@link #admits(String, String)}
     */
    public boolean admits(String queryClass, String queryId, double cost) {
        double inForce = fraction(queryClass);
        double own = gate(queryClass)
                .applied
                .value()
                .decision()
                .map(d -> CostOrder.fraction(d, inForce, cost))
                .orElse(inForce);
        return HashAdmission.admits(queryId, own, wall.millis());
    }

    /** The admitted fraction that applies now, 0..1. */
    public double fraction(String queryClass) {
        ClassGate gate = gate(queryClass);
        return ActuatorChecks.fractionInForce(gate.config, gate.applied, wall.millis(), monotonicMillis.getAsLong());
    }

    /** The decision that applies now; empty if there is none or its lease has ended. */
    public Optional<Decision> inForce(String queryClass) {
        long now = wall.millis();
        return gate(queryClass).applied.value().decision().filter(d -> now < d.validUntilMillis());
    }

    /**
     * Age of the newest valid decision, shadow decisions included, milliseconds since it was issued. Before the first
     * one: milliseconds since this client started.
     */
    public long decisionAgeMillis(String queryClass) {
        return wall.millis() - gate(queryClass).newestIssuedMillis;
    }

    /** Number of refused decisions for this service, by name of {@link ActuatorVerdict} or {@link #UNREADABLE}. */
    public Map<String, Long> refusals() {
        Map<String, Long> counts = new TreeMap<>();
        refusals.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }

    /** Applies or refuses a decision; called by one thread. */
    void offer(Decision decision) {
        if (!decision.scope().startsWith(service + '/')) {
            return;
        }
        ClassGate gate = gates.get(decision.scope().substring(service.length() + 1));
        if (gate == null) {
            refuse(ActuatorVerdict.OTHER_SCOPE.name());
            return;
        }
        ActuatorResult<Slew> result =
                ActuatorChecks.offer(gate.config, gate.applied, decision, wall.millis(), monotonicMillis.getAsLong());
        gate.applied = result.state();
        if (!result.verdict().isApplied()) {
            refuse(result.verdict().name());
        }
        if (result.verdict().isApplied() || result.verdict() == ActuatorVerdict.SHADOW) {
            gate.newestIssuedMillis = decision.issuedAtMillis();
        }
    }

    void unreadable() {
        refuse(UNREADABLE);
    }

    private void refuse(String reason) {
        refusals.computeIfAbsent(reason, r -> new LongAdder()).increment();
    }

    private ClassGate gate(String queryClass) {
        return KipimoConfig.declared(gates, queryClass);
    }
}
