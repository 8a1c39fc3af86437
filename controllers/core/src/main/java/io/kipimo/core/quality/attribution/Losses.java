package io.kipimo.core.quality.attribution;

import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Score;
import java.util.Map;
import java.util.TreeMap;

/**
 * Quality lost by each component that an answer lacked, results that never came included. A
 * measurement attributes what is lost against what arrived, 1 - high; what an EXPIRED one may have
 * lost beyond, high - low, is divided alike among the missing. So the losses sum to 1 - low.
 */
public final class Losses {
    private Losses() {}

    /**
     * By component, signed; in order, so that sums over a replayed log are the same.
     *
     * @param score of the measurement by its first metric, which attribution is by
     */
    public static Map<String, Double> of(Measurement measurement, Score score) {
        long missing = measurement.components().stream().filter(ComponentShare::missing).count();
        double lostByMissing = missing == 0 ? 0 : (score.high() - score.low()) / missing;
        Map<String, Double> losses = new TreeMap<>();
        for (ComponentShare share : measurement.components()) {
            if (share.outcome() != Outcome.IN_TIME || share.missing()) {
                losses.put(
                        share.component(),
                        share.lostQuality() + (share.missing() ? lostByMissing : 0));
            }
        }
        return losses;
    }
}
