package io.kipimo.simulator.faults.plane;

import io.kipimo.core.guard.ActuatorChecks;
import io.kipimo.core.guard.ActuatorConfig;
import io.kipimo.core.guard.ActuatorResult;
import io.kipimo.core.guard.Leased;
import io.kipimo.core.guard.Slew;
import io.kipimo.schemas.decision.Decision;
import java.util.Optional;

/**
 * An actuator with its own clocks, and a check of its behaviour. It states the rules of what must never be applied
 * independently of {@link ActuatorChecks}.
 */
final class SimulatedActuator {
    private final ActuatorConfig config;
    private Leased<Slew> state;
    private long wallOffsetMillis;
    private long bootMillis;
    private long applied;
    private long refused;

    SimulatedActuator(ActuatorConfig config) {
        this.config = config;
        this.state = ActuatorChecks.starting(config, 0, 0);
    }

    /** Sets the wall clock. */
    void jump(long offsetMillis) {
        wallOffsetMillis = offsetMillis;
    }

    /** Restarts without its state. */
    void restart(long nowMillis) {
        bootMillis = nowMillis;
        state = ActuatorChecks.starting(config, nowMillis + wallOffsetMillis, monotonic(nowMillis));
    }

    /**
     * Offers a decision.
     *
     * @return the violated invariant, if any
     */
    Optional<String> offer(Decision decision, long nowMillis) {
        Leased<Slew> before = state;
        long wall = nowMillis + wallOffsetMillis;
        ActuatorResult<Slew> result = ActuatorChecks.offer(config, before, decision, wall, monotonic(nowMillis));
        state = result.state();
        if (!result.verdict().isApplied()) {
            refused++;
            return state.equals(before) || (before.epoch() < 0 && state.epoch() < 0)
                    ? Optional.empty()
                    : Optional.of("a refused decision changed the state: " + decision);
        }
        applied++;
        if (decision.epoch() < before.epoch()
                || (decision.epoch() == before.epoch() && decision.sequence() <= before.sequence())) {
            return Optional.of("an older decision was applied after " + before + ": " + decision);
        }
        if (!(decision.value() >= 0 && decision.value() <= 1)
                || !decision.mode().isEffective()
                || !decision.scope().equals(config.scope())) {
            return Optional.of("an invalid decision was applied: " + decision);
        }
        if (decision.validUntilMillis() <= wall || wall - decision.asOfMillis() > config.maximumAgeMillis()) {
            return Optional.of("a stale decision was applied at " + wall + ": " + decision);
        }
        return Optional.empty();
    }

    /**
     * Checks the fraction in force.
     *
     * @return the violated invariant, if any
     */
    Optional<String> check(long nowMillis) {
        long monotonic = monotonic(nowMillis);
        double fraction = ActuatorChecks.fractionInForce(config, state, nowMillis + wallOffsetMillis, monotonic);
        boolean isPossible = fraction >= Math.min(config.floor(), config.safe())
                && fraction <= Math.max(config.ceiling(), config.safe());
        if (!isPossible) {
            return Optional.of("fraction in force is " + fraction);
        }
        long outlived = state.takenAtMillis() + config.longestLeaseMillis() + config.decayMillis();
        if (monotonic > outlived && fraction != config.safe()) {
            return Optional.of("a decision outlived its lease: fraction " + fraction);
        }
        return Optional.empty();
    }

    long applied() {
        return applied;
    }

    long refused() {
        return refused;
    }

    private long monotonic(long nowMillis) {
        return nowMillis - bootMillis;
    }
}
