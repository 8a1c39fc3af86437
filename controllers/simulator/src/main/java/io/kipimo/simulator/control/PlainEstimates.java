package io.kipimo.simulator.control;

import io.kipimo.core.quality.estimate.PlainEstimator;
import io.kipimo.core.quality.estimate.StratumCounts;
import io.kipimo.core.quality.estimate.StratumSums;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Replaces the product's estimates by the plain mean of the samples, to compare the controller's behaviour (Ubora,
 * table II).
 */
final class PlainEstimates {
    private final long windowMillis;
    private final ArrayDeque<Measurement> averaged = new ArrayDeque<>();
    private StratumCounts batch = StratumCounts.NONE;

    PlainEstimates(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    void add(Measurement measurement) {
        if (measurement.completeness().hasQuality()) {
            averaged.add(measurement);
            batch = plus(batch, measurement);
        }
    }

    /** Returns a control batch with the plain estimates in place of its own. */
    QualityWindow replace(QualityWindow w) {
        while (!averaged.isEmpty() && averaged.peek().measuredAtMillis() < w.endMillis() - windowMillis) {
            averaged.poll();
        }
        StratumCounts wide = StratumCounts.NONE;
        for (Measurement measurement : averaged) {
            wide = plus(wide, measurement);
        }
        Optional<Estimate> current = PlainEstimator.estimate(batch);
        batch = StratumCounts.NONE;
        return w.toBuilder()
                .estimate(current)
                .averaged(PlainEstimator.estimate(wide))
                .build();
    }

    private static StratumCounts plus(StratumCounts counts, Measurement measurement) {
        Score score = measurement.scores().get(0);
        StratumSums low = counts.degradedLow();
        StratumSums high = counts.degradedHigh();
        boolean degraded = measurement.degraded();
        return new StratumCounts(
                counts.answered() + 1,
                counts.timedOut() + (degraded ? 1 : 0),
                counts.cleanSamples() + (degraded ? 0 : 1),
                degraded ? low.add(score.low()) : low,
                degraded ? high.add(score.high()) : high);
    }
}
