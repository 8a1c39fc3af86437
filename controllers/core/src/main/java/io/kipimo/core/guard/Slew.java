package io.kipimo.core.guard;

import io.kipimo.schemas.decision.Decision;
import java.util.Optional;

/**
 * An actuator's move to a decided fraction.
 *
 * @param from fraction in force when the decision was applied
 * @param target decided fraction, within the actuator's bounds
 * @param decision the applied decision; empty: none was applied
 */
public record Slew(double from, double target, Optional<Decision> decision) {
    /** Returns a fraction in force that no decision set. */
    static Slew at(double fraction) {
        return new Slew(fraction, fraction, Optional.empty());
    }
}
