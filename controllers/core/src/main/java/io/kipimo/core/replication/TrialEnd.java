package io.kipimo.core.replication;

import java.util.List;

/** Computes the states in which a trial can end. */
final class TrialEnd {
    /** A trial of several copies that gains less than this share of its predicted gain is doubtful. */
    private static final double LEAST_OF_PREDICTED = 0.5;

    private TrialEnd() {}

    /** The state after a trial that succeeded: the tried factors become the proven ones. */
    static ReplicatorState kept(ReplicatorState state, FactorTrial trial, double changeMicros, long nowMillis) {
        return trial.raises()
                ? keptRaised(state, trial, changeMicros, nowMillis)
                : keptLowered(state, trial, nowMillis);
    }

    private static ReplicatorState keptRaised(
            ReplicatorState state, FactorTrial trial, double changeMicros, long nowMillis) {
        double predicted = trial.predictedMicros().orElse(0);
        // Some of several copies may be useless.
        boolean doubtful = trial.step().isEmpty() && changeMicros > predicted * LEAST_OF_PREDICTED;
        return state.settled(
                state.search().movedTo(trial.to()),
                doubtful ? ReplicatorState.lowerable(trial.to()) : List.of(),
                trial.measured(),
                nowMillis);
    }

    private static ReplicatorState keptLowered(ReplicatorState state, FactorTrial trial, long nowMillis) {
        int tier = trial.step().orElseThrow();
        return state.settled(
                // The copy that was removed without loss is not tried again.
                FactorSearch.from(trial.to()).notImproved(tier),
                trial.to().at(tier) > 1 ? state.toLower() : without(state.toLower(), tier),
                trial.measured(),
                nowMillis);
    }

    /**
     * The state after a trial that failed: back to the proven factors, without a further trial in this direction. If a
     * trial of several copies contradicts the model, the search goes on without the model, step by step.
     *
     * @param explained whether the model, taught by this trial, predicts its result
     */
    static ReplicatorState rejected(ReplicatorState state, FactorTrial trial, boolean explained, long nowMillis) {
        FactorSearch search = state.search();
        List<Integer> toLower = state.toLower();
        if (trial.step().isEmpty()) {
            search = search.without(trial.to());
        } else if (trial.raises()) {
            search = search.notImproved(trial.step().getAsInt());
        } else {
            toLower = without(toLower, trial.step().getAsInt());
        }
        ReplicatorState settled = state.settled(search, toLower, state.baseline(), nowMillis);
        return trial.step().isEmpty() && !explained ? settled.withoutModel() : settled;
    }

    /** The state after a trial that was broken off: back to the proven factors; the direction may be tried again. */
    static ReplicatorState aborted(ReplicatorState state, long nowMillis) {
        return state.settled(state.search(), state.toLower(), state.baseline(), nowMillis);
    }

    private static List<Integer> without(List<Integer> tiers, int tier) {
        return tiers.stream().filter(other -> other != tier).toList();
    }
}
