package io.kipimo.core.guard;

import io.kipimo.schemas.decision.Decision;

/**
 * The decision that an actuator applied last.
 *
 * @param epoch -1: no decision yet
 * @param from value in force when the decision was applied
 * @param target decided value, within the actuator's bounds
 * @param validUntilMillis end of the lease by the wall clock, epoch milliseconds
 * @param takenAtMillis receipt by the monotonic clock
 * @param leaseMillis length of the lease
 */
public record ActuatorState(
        long epoch,
        long sequence,
        double from,
        double target,
        long validUntilMillis,
        long takenAtMillis,
        long leaseMillis) {
    /** How long an actuator that starts waits for its first decision before it is safe. */
    public static final long START_LEASE_MILLIS = 60_000;

    /** No decision, and none is awaited: the safe value is in force. */
    public static ActuatorState initial(ActuatorConfig config) {
        return new ActuatorState(-1, 0, config.safe(), config.safe(), 0, 0, 0);
    }

    /**
     * There was no decision yet. This shows neither overload nor a lost controller, so the ceiling is in force, as if
     * it had been decided at the start with a lease of {@value #START_LEASE_MILLIS} ms.
     *
     * @param wallMillis epoch milliseconds
     * @param monotonicMillis milliseconds of a clock that is never set
     */
    public static ActuatorState starting(ActuatorConfig config, long wallMillis, long monotonicMillis) {
        return new ActuatorState(
                -1,
                0,
                config.ceiling(),
                config.ceiling(),
                wallMillis + START_LEASE_MILLIS,
                monotonicMillis,
                START_LEASE_MILLIS);
    }

    /**
     * The state after a decision was read whose lease has ended. Before the first applied decision the newest of them
     * counts: if it shed, control was lost during overload, and the safe value applies.
     */
    ActuatorState afterEnded(ActuatorConfig config, Decision ended) {
        if (epoch >= 0 || !ended.mode().isEffective()) {
            return this;
        }
        double value = ended.value() < config.ceiling() ? config.safe() : config.ceiling();
        return new ActuatorState(epoch, sequence, value, value, validUntilMillis, takenAtMillis, leaseMillis);
    }

    /**
     * The state after a shadow decision. Before the first applied decision it prolongs the start: a controller is
     * there, and is asked to change nothing.
     *
     * @param leased as if the decision were applied
     */
    ActuatorState afterShadow(ActuatorConfig config, ActuatorState leased) {
        return epoch >= 0
                ? this
                : new ActuatorState(
                        epoch,
                        sequence,
                        leased.from(),
                        config.ceiling(),
                        leased.validUntilMillis(),
                        leased.takenAtMillis(),
                        leased.leaseMillis());
    }
}
