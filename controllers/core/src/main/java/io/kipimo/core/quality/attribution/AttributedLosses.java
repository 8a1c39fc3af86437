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
public final class AttributedLosses {
    private AttributedLosses() {}

    /**
     * What each missing component may have cost beyond {@code lostQuality}: (high - low) / missing.
     */
    public static double unseenByEach(Measurement measurement) {
        if (measurement.scores().isEmpty()) {
            return 0;
        }
        int missing = 0;
        for (ComponentShare share : measurement.components()) {
            missing += share.missing() ? 1 : 0;
        }
        Score score = measurement.scores().get(0);
        return missing == 0 ? 0 : (score.high() - score.low()) / missing;
    }

    /**
     * By component, signed; in order, so that sums over a replayed log are the same. Of the first
     * metric, which attribution is by.
     */
    public static Map<String, Double> of(Measurement measurement) {
        double unseen = unseenByEach(measurement);
        Map<String, Double> losses = new TreeMap<>();
        for (ComponentShare share : measurement.components()) {
            if (share.outcome() != Outcome.IN_TIME || share.missing()) {
                losses.put(share.component(), share.lostQuality() + (share.missing() ? unseen : 0));
            }
        }
        return losses;
    }
}
