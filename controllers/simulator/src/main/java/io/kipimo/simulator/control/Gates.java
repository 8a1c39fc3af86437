package io.kipimo.simulator.control;

import io.kipimo.core.admission.CostOrder;
import io.kipimo.core.admission.HashAdmission;
import io.kipimo.core.guard.ActuatorChecks;
import io.kipimo.core.guard.ActuatorConfig;
import io.kipimo.core.guard.ActuatorConfigBuilder;
import io.kipimo.core.guard.Leased;
import io.kipimo.core.guard.Slew;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** The actuators, one for each class, as in the SDK's client. */
final class Gates {
    private static final class SimulatedGate {
        ActuatorConfig config;
        Leased<Slew> state;

        SimulatedGate(ActuatorConfig config) {
            this.config = config;
            this.state = ActuatorChecks.starting(config, VirtualClock.START_MILLIS, VirtualClock.START_MILLIS);
        }
    }

    private final Map<String, SimulatedGate> gates = new LinkedHashMap<>();

    /** @param admitsLower false: only the highest class is admitted */
    Gates(Policy policy, boolean admitsLower) {
        for (ClassPolicy c : policy.classes()) {
            ActuatorConfig config = config(policy, c);
            boolean shut = !admitsLower && c.priority() != policy.highestClass().priority();
            gates.put(config.scope(), new SimulatedGate(shut ? config.withOverride(OptionalDouble.of(0)) : config));
        }
    }

    private static ActuatorConfig config(Policy policy, ClassPolicy c) {
        ActuatorConfig defaults =
                ActuatorConfig.admission(policy.serviceClass(c).toString(), c.safeFraction());
        return ActuatorConfigBuilder.builder(defaults)
                .floor(c.floor())
                .ceiling(c.ceiling())
                // With control steps of minutes, as in the paper, input may be
                // minutes old.
                .maximumAgeMillis(Math.max(
                        defaults.maximumAgeMillis(),
                        policy.admission().staleAfterPeriods()
                                * policy.admission().periodMillis()))
                .build();
    }

    void offer(Decision decision, long nowMillis) {
        SimulatedGate gate = gates.get(decision.scope());
        gate.state = ActuatorChecks.offer(gate.config, gate.state, decision, nowMillis)
                .state();
    }

    double fraction(String scope, long nowMillis) {
        SimulatedGate gate = gates.get(scope);
        return ActuatorChecks.fractionInForce(gate.config, gate.state, nowMillis);
    }

    /** @param cost predicted cost of the query */
    boolean admits(String scope, String queryId, double cost, long nowMillis) {
        double inForce = fraction(scope, nowMillis);
        double own = gates.get(scope)
                .state
                .value()
                .decision()
                .map(d -> CostOrder.fraction(d, inForce, cost))
                .orElse(inForce);
        return HashAdmission.admits(queryId, own, nowMillis);
    }
}
