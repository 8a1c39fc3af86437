package io.kipimo.core.admission;

import io.kipimo.core.guard.Bounds;

/**
 * Additive increase while quality is above its objective, multiplicative decrease while it is below: the rule of
 * congestion control, as a baseline to compare with.
 */
final class AimdController {
    private AimdController() {}

    /**
     * One step.
     *
     * @param error above 0: quality is better than its objective
     * @return the new output, 0..1
     */
    public static double step(AimdConfig config, double inForce, double error) {
        if (error == 0) {
            return inForce;
        }
        return Bounds.clamp(error > 0 ? inForce + config.increase() : inForce * config.decreaseFactor(), 0, 1);
    }
}
