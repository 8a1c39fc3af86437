package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.replication.TierFactor;
import java.util.List;

/**
 * A person's word on the factors, above the controller.
 *
 * @param factors one a tier
 * @param untilMillis epoch milliseconds; 0: until removed
 * @param by who
 * @param reason why
 */
public record FactorOverride(
        @Range(least = 1, most = TierFactor.MOST) List<Integer> factors,
        long untilMillis,
        @Text String by,
        @Text String reason) {
    public boolean isInForce(long nowMillis) {
        return untilMillis == 0 || nowMillis < untilMillis;
    }
}
