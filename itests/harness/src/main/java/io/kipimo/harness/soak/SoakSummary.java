package io.kipimo.harness.soak;

import java.util.List;

/**
 * What came of a soak.
 *
 * @param kills of TaskManagers
 * @param restarts of the job, as Flink counts them
 * @param longestRecoverySeconds from a kill to the next measurement that came
 * @param lost queries without a measurement
 * @param unaccounted events that were neither joined nor late, or were counted twice
 * @param flatness empty if the run was too short to tell
 */
record SoakSummary(
        long queries,
        long events,
        int kills,
        long restarts,
        double longestRecoverySeconds,
        long lost,
        long unaccounted,
        List<Flatness> flatness) {

    boolean isFine() {
        return lost == 0 && unaccounted == 0 && flatness.stream().allMatch(Flatness::isFlat);
    }
}
