package io.kipimo.core.guard;

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

    /** No decision yet: the safe value is in force. */
    public static ActuatorState initial(ActuatorConfig config) {
        return new ActuatorState(-1, 0, config.safe(), config.safe(), 0, 0, 0);
    }
}
