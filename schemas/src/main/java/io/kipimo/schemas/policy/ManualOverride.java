package io.kipimo.schemas.policy;

/**
 * A person's word on one class, above every controller.
 *
 * @param fraction admitted fraction, 0..1
 * @param untilMillis epoch milliseconds; 0: until removed
 * @param by who
 * @param reason why
 */
public record ManualOverride(double fraction, long untilMillis, String by, String reason) {
    public boolean isInForce(long nowMillis) {
        return untilMillis == 0 || nowMillis < untilMillis;
    }
}
