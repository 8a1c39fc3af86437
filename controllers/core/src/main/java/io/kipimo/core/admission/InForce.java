package io.kipimo.core.admission;

import io.kipimo.core.guard.Bounds;
import io.kipimo.core.guard.Lease;
import io.kipimo.schemas.policy.ClassPolicy;

/**
 * The fraction that actuators apply for one class, as far as the loop knows.
 *
 * @param fraction last published, 0..1
 * @param validUntilMillis end of its lease, epoch milliseconds
 */
public record InForce(double fraction, long validUntilMillis) {

    /** The fraction now: after the lease it decays to the safe one, as it does at the actuators. */
    double at(long nowMillis, ClassPolicy classPolicy, long decayMillis) {
        return Lease.valueAt(
                fraction, classPolicy.safeFraction(), nowMillis - validUntilMillis, decayMillis);
    }

    /** Before anything is known: what an actuator does without a decision. */
    static double unknown(ClassPolicy classPolicy) {
        return Bounds.clamp(classPolicy.safeFraction(), classPolicy.floor(), classPolicy.ceiling());
    }
}
