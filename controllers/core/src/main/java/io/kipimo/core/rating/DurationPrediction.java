package io.kipimo.core.rating;

import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.TrialPurpose;
import java.util.List;

/** Duration of a rating as the model of sec. 6.1 predicts it. */
final class DurationPrediction {
    private DurationPrediction() {}

    /** Lambda, milliseconds, for the experiments that were run. */
    public static long millis(RatingRequest request, List<RatingTrial> trials) {
        long load = trials.isEmpty() ? 0 : trials.get(0).prepareMillis();
        long[] restores = trials.stream()
                .skip(1)
                .mapToLong(RatingTrial::prepareMillis)
                .filter(millis -> millis > 0)
                .toArray();
        double restore = java.util.Arrays.stream(restores).average().orElse(0);
        int confirmations = (int)
                trials.stream().filter(t -> t.purpose() == TrialPurpose.CONFIRM).count();
        RatingCosts costs = new RatingCosts(
                load,
                restore,
                restores.length,
                trials.size() - confirmations,
                request.experiments().warmUpMillis(),
                request.experiments().millis(),
                request.agreement().durationMillis());
        double total = RatingDuration.total(costs);
        // Not in the model: the recovery after each failed experiment except the last.
        long overloads = trials.stream()
                .limit(Math.max(0, trials.size() - 1))
                .filter(RatingProtocol::overloads)
                .count();
        total += overloads * (double) RatingProtocol.recoveryMillis(request);
        if (confirmations == 0) {
            // The search's experiments were long enough, so no confirmation ran.
            total -= costs.warmUp() + costs.confirmation();
        }
        return Math.round(total + Math.max(0, confirmations - 1) * (costs.warmUp() + costs.confirmation()));
    }
}
