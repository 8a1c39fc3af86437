package io.kipimo.core.admission;

import io.kipimo.core.guard.Bounds;

/**
 * Constants of an {@link AimdController}.
 *
 * @param increase added a step, in (0, 1]
 * @param decreaseFactor multiplied a step, 0..1
 */
record AimdConfig(double increase, double decreaseFactor) {
    /** Adds 0.05 a step, or multiplies by 0.7. */
    public static final AimdConfig DEFAULT = new AimdConfig(0.05, 0.7);

    public AimdConfig {
        Bounds.within("increase", increase, 1e-6, 1);
        Bounds.within("decreaseFactor", decreaseFactor, 0, 1);
    }
}
