package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;

/**
 * An override of one class by a person. It precedes every controller.
 *
 * @param fraction admitted fraction, 0..1
 * @param untilMillis epoch milliseconds; 0: until removed
 * @param by name of the person
 * @param reason reason for the override
 */
public record ManualOverride(
        @Range(most = 1) double fraction,
        long untilMillis,
        @Text String by,
        @Text String reason) {
    public boolean isInForce(long nowMillis) {
        return untilMillis == 0 || nowMillis < untilMillis;
    }
}
