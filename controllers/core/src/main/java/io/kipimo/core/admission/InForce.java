package io.kipimo.core.admission;

import io.kipimo.core.guard.Bounds;
import io.kipimo.core.guard.Leased;
import io.kipimo.schemas.policy.ClassPolicy;

/**
 * The fraction that actuators apply for one class, as far as the loop knows.
 *
 * @param fraction last published fraction, 0..1
 * @param validUntilMillis end of its lease, epoch milliseconds
 */
public record InForce(double fraction, long validUntilMillis) {

    /**
     * Returns the fraction that applies at a time. After the lease it decays to the safe fraction, as at the actuators.
     */
    double at(long nowMillis, ClassPolicy classPolicy, long decayMillis) {
        return Leased.fractionAt(fraction, classPolicy.safeFraction(), nowMillis - validUntilMillis, decayMillis);
    }

    /**
     * Returns the fraction before the loop's first decision. If nothing has been measured yet, or the policy is in
     * shadow mode, actuators apply the ceiling; otherwise they apply the safe fraction.
     *
     * @param isStart whether nothing has been measured yet, or the policy is in shadow mode
     */
    static double unknown(ClassPolicy classPolicy, boolean isStart) {
        return isStart
                ? classPolicy.ceiling()
                : Bounds.clamp(classPolicy.safeFraction(), classPolicy.floor(), classPolicy.ceiling());
    }
}
