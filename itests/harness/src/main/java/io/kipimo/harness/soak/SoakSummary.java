package io.kipimo.harness.soak;

import io.kipimo.harness.oracle.RowAudit;
import java.util.List;

/**
 * What came of a soak.
 *
 * @param kills of TaskManagers
 * @param restarts of the job, as Flink counts them
 * @param longestRecoverySeconds from a kill to the next measurement that came
 * @param lost queries without a row
 * @param findings what the rows promise and do not keep
 * @param repeated rows that came again, the same
 * @param lateMissing late events that are not in their topic; below 0: what is there was not late
 * @param miscounted events less those that the job says it joined or found late
 * @param flatness empty if the run was too short to tell
 */
record SoakSummary(
        long queries,
        long events,
        int kills,
        long restarts,
        double longestRecoverySeconds,
        long lost,
        RowAudit.Findings findings,
        long repeated,
        long lateMissing,
        long miscounted,
        List<Flatness> flatness) {

    boolean isFine() {
        return lost == 0
                && findings.isRight()
                && lateMissing == 0
                && miscounted == 0
                && flatness.stream().allMatch(Flatness::isFlat);
    }
}
