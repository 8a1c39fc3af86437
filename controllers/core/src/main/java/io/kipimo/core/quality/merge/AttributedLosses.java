package io.kipimo.core.quality.merge;

import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Score;
import java.util.Map;
import java.util.TreeMap;

/**
 * Computes the quality lost by each component that an answer lacked, even if its result never came. A measurement
 * attributes the loss against the results that arrived, 1 - high. An EXPIRED measurement may have lost high - low in
 * addition, which is divided equally among the missing components. So the losses sum to 1 - deliberate loss - low.
 * Components that were not asked are not blamed.
 */
public final class AttributedLosses {
    private AttributedLosses() {}

    /** Loss of each missing component beyond {@code lostQuality}: (high - low) / missing. */
    public static double unseenByEach(Measurement measurement) {
        // Without a stated deliberate loss, low is 0 because of that loss.
        boolean isUnstated =
                measurement.isTrimmed() && measurement.notAskedLoss().isEmpty();
        if (measurement.scores().isEmpty() || isUnstated) {
            return 0;
        }
        int missing = 0;
        for (ComponentShare share : measurement.components()) {
            missing += share.missing() ? 1 : 0;
        }
        Score score = measurement.scores().get(0);
        return missing == 0 ? 0 : (score.high() - score.low()) / missing;
    }

    /** Loss by component, signed, by the first metric; sorted, so that sums over a replayed log are the same. */
    public static Map<String, Double> of(Measurement measurement) {
        double unseen = unseenByEach(measurement);
        Map<String, Double> losses = new TreeMap<>();
        for (ComponentShare share : measurement.components()) {
            if (share.outcome().isLate() || share.missing()) {
                losses.put(share.component(), share.lostQuality() + (share.missing() ? unseen : 0));
            }
        }
        return losses;
    }
}
