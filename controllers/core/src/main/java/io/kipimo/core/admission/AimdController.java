package io.kipimo.core.admission;

import io.kipimo.core.guard.Bounds;

/**
 * Additive increase while quality is above its objective, multiplicative decrease while it is below: the rule of
 * congestion control, as a baseline to compare with.
 */
final class AimdController {

    /**
     * Constants of an {@link AimdController}.
     *
     * @param increase amount that a step up adds to the output, in (0, 1]
     * @param decreaseFactor factor by which a step down multiplies the output, 0..1
     */
    record Steps(double increase, double decreaseFactor) {
        /** Adds 0.05 a step, or multiplies by 0.7. */
        public static final Steps DEFAULT = new Steps(0.05, 0.7);

        public Steps {
            Bounds.within("increase", increase, 1e-6, 1);
            Bounds.within("decreaseFactor", decreaseFactor, 0, 1);
        }
    }

    private AimdController() {}

    /**
     * Makes one step.
     *
     * @param error quality minus its objective; above 0: quality is better
     * @return the new output, 0..1
     */
    public static double step(Steps config, double inForce, double error) {
        if (error == 0) {
            return inForce;
        }
        return Bounds.clamp(error > 0 ? inForce + config.increase() : inForce * config.decreaseFactor(), 0, 1);
    }
}
