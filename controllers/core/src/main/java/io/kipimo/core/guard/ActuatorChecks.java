package io.kipimo.core.guard;

import io.kipimo.schemas.decision.Decision;

/**
 * The checks of an actuator, which overrule every controller. The actuator applies a decision only if it passes all
 * checks, in the order of {@code verdict}; otherwise it keeps its value. When the lease ends it goes to its safe value.
 * Before the first decision, see {@link ActuatorState#starting}. Pure functions; the caller swaps its
 * {@link ActuatorState} atomically. A {@link Lease} is measured by two clocks.
 */
public final class ActuatorChecks {
    /** Bound of epochs and sequences; doubles cannot distinguish all greater ones. */
    private static final long LARGEST_COUNT = 1L << 53;

    private ActuatorChecks() {}

    /** Takes or refuses a decision; the wall clock is monotonic. */
    public static ActuatorResult offer(ActuatorConfig config, ActuatorState state, Decision decision, long nowMillis) {
        return offer(config, state, decision, nowMillis, nowMillis);
    }

    /**
     * Takes or refuses a decision.
     *
     * @param wallMillis epoch milliseconds
     * @param monotonicMillis milliseconds of a clock that is never set
     */
    public static ActuatorResult offer(
            ActuatorConfig config, ActuatorState state, Decision decision, long wallMillis, long monotonicMillis) {
        ActuatorVerdict verdict = verdict(config, state, decision, wallMillis);
        return new ActuatorResult(
                switch (verdict) {
                    case APPLIED, APPLIED_WITHIN_BOUNDS -> leased(config, state, decision, wallMillis, monotonicMillis);
                    case EXPIRED -> state.afterEnded(config, decision);
                    case SHADOW ->
                        state.afterShadow(config, leased(config, state, decision, wallMillis, monotonicMillis));
                    default -> state;
                },
                verdict);
    }

    private static ActuatorState leased(
            ActuatorConfig config, ActuatorState state, Decision decision, long wallMillis, long monotonicMillis) {
        return new ActuatorState(
                decision.epoch(),
                decision.sequence(),
                fractionInForce(config, state, wallMillis, monotonicMillis),
                Bounds.clamp(decision.value(), config.floor(), config.ceiling()),
                decision.validUntilMillis(),
                monotonicMillis,
                Math.min(decision.validUntilMillis() - decision.issuedAtMillis(), config.longestLeaseMillis()));
    }

    private static ActuatorVerdict verdict(
            ActuatorConfig config, ActuatorState state, Decision decision, long wallMillis) {
        if (config.killSwitch()) {
            return ActuatorVerdict.KILL_SWITCH;
        }
        if (config.override().isPresent()) {
            return ActuatorVerdict.OVERRIDDEN;
        }
        if (!config.controller().equals(decision.controller())) {
            return ActuatorVerdict.OTHER_CONTROLLER;
        }
        if (!config.scope().equals(decision.scope())) {
            return ActuatorVerdict.OTHER_SCOPE;
        }
        if (!isPossible(decision)) {
            return ActuatorVerdict.IMPOSSIBLE;
        }
        if (!decision.isNewerThan(state.epoch(), state.sequence())) {
            return ActuatorVerdict.NOT_NEWER;
        }
        if (wallMillis >= decision.validUntilMillis()) {
            return ActuatorVerdict.EXPIRED;
        }
        if (Guards.isStale(decision.asOfMillis(), config.maximumAgeMillis(), wallMillis)) {
            return ActuatorVerdict.STALE;
        }
        if (!decision.mode().isEffective()) {
            return ActuatorVerdict.SHADOW;
        }
        return decision.value() < config.floor() || decision.value() > config.ceiling()
                ? ActuatorVerdict.APPLIED_WITHIN_BOUNDS
                : ActuatorVerdict.APPLIED;
    }

    private static boolean isPossible(Decision d) {
        return d.mode() != null
                && isFraction(d.value())
                && isFraction(d.previous())
                && isFraction(d.measured())
                && isFraction(d.low())
                && isFraction(d.high())
                && isFraction(d.objective())
                && d.samples() >= 0
                && isCount(d.epoch())
                && isCount(d.sequence())
                && isCount(d.configVersion())
                && isCount(d.issuedAtMillis())
                && isCount(d.asOfMillis())
                && isCount(d.validUntilMillis())
                && d.validUntilMillis() >= d.issuedAtMillis();
    }

    private static boolean isFraction(double value) {
        return Double.isFinite(value) && value >= 0 && value <= 1;
    }

    private static boolean isCount(long value) {
        return value >= 0 && value < LARGEST_COUNT;
    }

    /** The value to apply now; the wall clock is monotonic. */
    public static double fractionInForce(ActuatorConfig config, ActuatorState state, long nowMillis) {
        return fractionInForce(config, state, nowMillis, nowMillis);
    }

    /**
     * The value to apply now, 0..1. A local kill switch or override comes first. While the lease lasts, the value moves
     * to the decided one within the slew limits. After the lease it goes linearly to the safe value over
     * {@code decayMillis}.
     *
     * @param wallMillis epoch milliseconds
     * @param monotonicMillis milliseconds of a clock that is never set
     */
    public static double fractionInForce(
            ActuatorConfig config, ActuatorState state, long wallMillis, long monotonicMillis) {
        if (config.killSwitch()) {
            return config.safe();
        }
        if (config.override().isPresent()) {
            return config.override().getAsDouble();
        }
        long sinceTaken = Math.max(0, monotonicMillis - state.takenAtMillis());
        long overdue = Lease.overdueMillis(
                state.validUntilMillis(), state.leaseMillis(), state.takenAtMillis(), wallMillis, monotonicMillis);
        double leased = approached(config, state, sinceTaken - Math.max(0, overdue));
        return Lease.valueAt(leased, config.safe(), overdue, config.decayMillis());
    }

    private static double approached(ActuatorConfig config, ActuatorState state, long millis) {
        double seconds = Math.max(0, millis) / 1000.0;
        return Bounds.clamp(
                state.target(),
                state.from() - config.slewDownPerSecond() * seconds,
                state.from() + config.slewUpPerSecond() * seconds);
    }
}
