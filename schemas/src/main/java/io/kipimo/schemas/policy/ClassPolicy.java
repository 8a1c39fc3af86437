package io.kipimo.schemas.policy;

import java.util.Optional;

/**
 * What one priority class of a service is promised.
 *
 * @param priority 0 is the highest and is never shed; shedding starts at the largest number
 * @param objective mean answer quality to keep, 0..1
 * @param safeFraction admitted fraction when no decision is valid, 0..1
 * @param floor least admitted fraction, in (0, 1]: a zero rate blinds the loop
 * @param ceiling greatest admitted fraction, in [floor, 1]
 */
public record ClassPolicy(
        String name,
        int priority,
        double objective,
        double safeFraction,
        double floor,
        double ceiling,
        Optional<ManualOverride> override) {

    /** The same with another override, or without one. */
    public ClassPolicy withOverride(Optional<ManualOverride> other) {
        return new ClassPolicy(name, priority, objective, safeFraction, floor, ceiling, other);
    }
}
