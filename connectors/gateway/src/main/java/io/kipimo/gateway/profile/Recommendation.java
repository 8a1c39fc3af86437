package io.kipimo.gateway.profile;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The trial to go by: of those that slow unsampled queries down by no more than is allowed, the one
 * with the most mature executions per 100 queries; among as many, the lowest rate, then the fewest
 * responses kept.
 */
public final class Recommendation {
    private static final Comparator<ProfileTrial> BEST_FIRST =
            Comparator.comparingDouble(ProfileTrial::maturePer100)
                    .reversed()
                    .thenComparingDouble(ProfileTrial::samplingRate)
                    .thenComparingInt(trial -> trial.memoized().size());

    private Recommendation() {}

    /**
     * Chooses.
     *
     * @param mostSlowdown allowed of unsampled queries, such as 0.07
     * @return empty: no trial slows them down so little
     */
    public static Optional<ProfileTrial> of(List<ProfileTrial> trials, double mostSlowdown) {
        return trials.stream()
                .filter(trial -> trial.maturePer100() > 0)
                // Of a trial that sampled all of them there is nothing to say.
                .filter(trial -> !(trial.unsampledSlowdown() > mostSlowdown))
                .min(BEST_FIRST);
    }
}
