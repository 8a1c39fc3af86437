package io.kipimo.schemas.policy;

import java.util.List;

/**
 * A person's word on the factors, above the controller.
 *
 * @param factors one a tier
 * @param untilMillis epoch milliseconds; 0: until removed
 * @param by who
 * @param reason why
 */
public record FactorOverride(List<Integer> factors, long untilMillis, String by, String reason) {
    public boolean isInForce(long nowMillis) {
        return untilMillis == 0 || nowMillis < untilMillis;
    }
}
