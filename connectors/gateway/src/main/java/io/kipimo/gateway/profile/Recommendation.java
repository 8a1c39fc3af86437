package io.kipimo.gateway.profile;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Selects a trial. The trial slows unsampled queries down by no more than is allowed. Among such trials it has the most
 * mature executions per 100 queries; in case of a tie the lowest rate, then the fewest kept responses.
 */
public final class Recommendation {
    private static final Comparator<ProfileTrial> BEST_FIRST = Comparator.comparingDouble(ProfileTrial::maturePer100)
            .reversed()
            .thenComparingDouble(ProfileTrial::samplingRate)
            .thenComparingInt(trial -> trial.memoized().size());

    private Recommendation() {}

    /**
     * Selects a trial.
     *
     * @param mostSlowdown greatest relative slowdown of unsampled queries, such as 0.07
     * @return empty: every trial exceeds the allowed slowdown, or has no mature executions
     */
    public static Optional<ProfileTrial> of(List<ProfileTrial> trials, double mostSlowdown) {
        return trials.stream()
                .filter(trial -> trial.maturePer100() > 0)
                // A trial that sampled every query has no unsampled ones to compare.
                .filter(trial -> !(trial.unsampledSlowdown() > mostSlowdown))
                .min(BEST_FIRST);
    }
}
