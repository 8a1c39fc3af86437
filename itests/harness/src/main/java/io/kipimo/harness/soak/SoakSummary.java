package io.kipimo.harness.soak;

import io.kipimo.harness.oracle.RowAudit;
import io.kipimo.schemas.field.WithBuilder;
import java.util.List;

/**
 * Result of a soak.
 *
 * @param kills number of TaskManagers that were killed
 * @param restarts restarts of the job, as Flink counts them
 * @param longestRecoverySeconds longest time from a kill to the next measurement
 * @param lost queries without a row
 * @param findings violations of the rows' contract
 * @param repeated identical rows that arrived again
 * @param lateMissing late events that are missing in their topic; below 0: the topic has events that were not late
 * @param miscounted number of events sent, less the number that the job counted as joined or late
 * @param flatness empty if the run was too short
 */
@WithBuilder
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
