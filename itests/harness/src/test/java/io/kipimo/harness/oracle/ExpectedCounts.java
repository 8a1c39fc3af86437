package io.kipimo.harness.oracle;

import io.kipimo.schemas.deadletter.RejectionReason;
import java.util.Map;

/**
 * Expected outcome counts of all events; together they are the number of records in the log.
 *
 * @param unnamed joined results of components that the answer does not name
 * @param rejected rejected records, by reason
 */
public record ExpectedCounts(
        long joined, long unnamed, long late, long duplicate, Map<RejectionReason, Long> rejected) {

    public long allRejected() {
        return rejected.values().stream().mapToLong(Long::longValue).sum();
    }

    public long all() {
        return joined + late + duplicate + allRejected();
    }
}
