package io.kipimo.core.quality.window;

import io.kipimo.core.quality.estimate.QualityHistogram;
import io.kipimo.core.quality.estimate.StratumSums;

/**
 * Sums of one metric over the measurements of a pane.
 *
 * @param all low ends of all measurements
 * @param degradedLow low ends of the degraded ones, {@linkplain io.kipimo.schemas.quality.Measurement#ofLateness as if
 *     every component had been asked}
 * @param degradedHigh high ends of the same qualities
 * @param histogram histogram of the low ends of all measurements
 */
public record MetricSums(
        StratumSums all, StratumSums degradedLow, StratumSums degradedHigh, QualityHistogram histogram) {
    static final MetricSums NONE =
            new MetricSums(StratumSums.NONE, StratumSums.NONE, StratumSums.NONE, QualityHistogram.EMPTY);

    MetricSums plus(MetricSums other) {
        return new MetricSums(
                all.plus(other.all),
                degradedLow.plus(other.degradedLow),
                degradedHigh.plus(other.degradedHigh),
                histogram.plus(other.histogram));
    }
}
