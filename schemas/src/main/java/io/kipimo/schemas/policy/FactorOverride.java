package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.replication.TierFactor;
import java.util.List;

/**
 * An override of the replication factors by a person. It precedes the controller.
 *
 * @param factors factors, one per tier
 * @param untilMillis epoch milliseconds; 0: until removed
 * @param by name of the person
 * @param reason reason for the override
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
