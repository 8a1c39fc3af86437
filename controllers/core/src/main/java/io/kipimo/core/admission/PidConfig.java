package io.kipimo.core.admission;

import io.kipimo.core.guard.Bounds;

/**
 * Gains of a {@link PidController}.
 *
 * @param kp gain on the change of the error, 0..100
 * @param ki gain on the error, a second, 0..100
 * @param kd gain on the change of the measurement's filtered slope, seconds, 0..1000
 * @param filterSeconds time constant of the slope's low-pass filter, above 0
 * @param floor least output
 * @param ceiling greatest output, at least {@code floor}
 */
record PidConfig(double kp, double ki, double kd, double filterSeconds, double floor, double ceiling) {
    public PidConfig {
        Bounds.within("kp", kp, 0, 100);
        Bounds.within("ki", ki, 0, 100);
        Bounds.within("kd", kd, 0, 1000);
        Bounds.within("filterSeconds", filterSeconds, 1e-3, 1e9);
        Bounds.within("floor", floor, 0, 1);
        Bounds.within("ceiling", ceiling, floor, 1);
    }
}
