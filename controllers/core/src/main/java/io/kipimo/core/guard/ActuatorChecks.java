package io.kipimo.core.guard;

import io.kipimo.schemas.decision.Decision;
import java.util.Optional;

/**
 * The checks of an actuator, which overrule every controller. The actuator applies a decision only if it passes all
 * checks, in the order of {@code verdict}; otherwise it keeps its value. When the lease ends it goes to its safe value.
 * Before the first decision, see {@link #starting}. Pure functions; the caller swaps its {@link Leased} state
 * atomically.
 */
public final class ActuatorChecks {
    /** Exclusive bound of epochs and sequence numbers. Doubles cannot distinguish all greater numbers. */
    private static final long LARGEST_COUNT = 1L << 53;

    private ActuatorChecks() {}

    /** Returns the state without a decision when none is awaited: the safe value is in force. */
    public static Leased<Slew> initial(ActuatorConfig config) {
        return Leased.none(Slew.at(config.safe()));
    }

    /**
     * Returns the state at the start, before any decision. The lack of a decision shows neither overload nor a lost
     * controller then, so the ceiling is in force, as if it had been decided at the start.
     *
     * @param wallMillis epoch milliseconds
     * @param monotonicMillis milliseconds of a clock that is never set
     */
    public static Leased<Slew> starting(ActuatorConfig config, long wallMillis, long monotonicMillis) {
        return Leased.starting(Slew.at(config.ceiling()), wallMillis, monotonicMillis);
    }

    /** Takes or refuses a decision, with one clock as both the wall clock and the monotonic clock. */
    public static ActuatorResult<Slew> offer(
            ActuatorConfig config, Leased<Slew> state, Decision decision, long nowMillis) {
        return offer(config, state, decision, nowMillis, nowMillis);
    }

    /**
     * Takes or refuses a decision.
     *
     * @param wallMillis epoch milliseconds
     * @param monotonicMillis milliseconds of a clock that is never set
     */
    public static ActuatorResult<Slew> offer(
            ActuatorConfig config, Leased<Slew> state, Decision decision, long wallMillis, long monotonicMillis) {
        ActuatorVerdict verdict = verdict(config, state, decision, wallMillis);
        return new ActuatorResult<>(
                switch (verdict) {
                    case APPLIED, APPLIED_WITHIN_BOUNDS -> leased(config, state, decision, wallMillis, monotonicMillis);
                    case EXPIRED -> afterEnded(config, state, decision);
                    case SHADOW ->
                        afterShadow(config, state, leased(config, state, decision, wallMillis, monotonicMillis));
                    default -> state;
                },
                verdict);
    }

    private static Leased<Slew> leased(
            ActuatorConfig config, Leased<Slew> state, Decision decision, long wallMillis, long monotonicMillis) {
        Slew slew = new Slew(
                fractionInForce(config, state, wallMillis, monotonicMillis),
                Bounds.clamp(decision.value(), config.floor(), config.ceiling()),
                Optional.of(decision));
        return Leased.of(Lease.of(decision), slew, config.longestLeaseMillis(), monotonicMillis);
    }

    /**
     * Returns the state after a decision whose lease has ended. Before the first applied decision, the newest ended one
     * counts. If it shed, control was lost during overload, and the safe value applies. Otherwise the ceiling applies.
     */
    private static Leased<Slew> afterEnded(ActuatorConfig config, Leased<Slew> state, Decision ended) {
        if (state.epoch() >= 0 || !ended.mode().isEffective()) {
            return state;
        }
        return state.unapplied(Slew.at(ended.value() < config.ceiling() ? config.safe() : config.ceiling()));
    }

    /**
     * Returns the state after a shadow decision. Before the first applied decision it prolongs the start, because it
     * shows that a controller runs and is asked to change nothing.
     *
     * @param leased state as if the decision were applied
     */
    private static Leased<Slew> afterShadow(ActuatorConfig config, Leased<Slew> state, Leased<Slew> leased) {
        return state.epoch() >= 0
                ? state
                : leased.unapplied(new Slew(leased.value().from(), config.ceiling(), Optional.empty()));
    }

    private static ActuatorVerdict verdict(
            ActuatorConfig config, Leased<Slew> state, Decision decision, long wallMillis) {
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
        ActuatorVerdict verdict = state.verdict(Lease.of(decision), config.maximumAgeMillis(), wallMillis);
        boolean isOutside = decision.value() < config.floor() || decision.value() > config.ceiling();
        return verdict == ActuatorVerdict.APPLIED && isOutside ? ActuatorVerdict.APPLIED_WITHIN_BOUNDS : verdict;
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

    /** Returns the value to apply now, with one clock as both the wall clock and the monotonic clock. */
    public static double fractionInForce(ActuatorConfig config, Leased<Slew> state, long nowMillis) {
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
            ActuatorConfig config, Leased<Slew> state, long wallMillis, long monotonicMillis) {
        if (config.killSwitch()) {
            return config.safe();
        }
        if (config.override().isPresent()) {
            return config.override().getAsDouble();
        }
        long sinceTaken = Math.max(0, monotonicMillis - state.takenAtMillis());
        long overdue = state.overdueMillis(wallMillis, monotonicMillis);
        double leased = approached(config, state.value(), sinceTaken - Math.max(0, overdue));
        return Leased.fractionAt(leased, config.safe(), overdue, config.decayMillis());
    }

    private static double approached(ActuatorConfig config, Slew slew, long millis) {
        double seconds = Math.max(0, millis) / 1000.0;
        return Bounds.clamp(
                slew.target(),
                slew.from() - config.slewDownPerSecond() * seconds,
                slew.from() + config.slewUpPerSecond() * seconds);
    }
}
