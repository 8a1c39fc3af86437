package io.kipimo.operators.ttl;

import io.kipimo.core.invalidation.AccessCosts;
import io.kipimo.core.invalidation.UseMeter;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.core.ttl.TtlTracking;
import io.kipimo.core.ttl.WriteWindow;
import java.io.Serializable;

/**
 * Settings shared by the functions of the ttl job. {@link WriteWindow} explains {@code writeWindowMillis} and
 * {@code sampledShare}.
 *
 * @param similarity similarity of results before and after a change, such as {@code tpr@20}; empty: results are not
 *     compared, and every change is a total loss
 * @param comparedRecords greatest number of records of a result kept for comparing; 0: none
 * @param windowMillis length of a table's caching windows, milliseconds
 * @param costs costs for choosing the cached form of a query's result
 */
public record TtlFlowSettings(
        TtlSettings ttls,
        long writeWindowMillis,
        double sampledShare,
        String similarity,
        int comparedRecords,
        long windowMillis,
        AccessCosts costs)
        implements Serializable {
    /** @throws IllegalArgumentException if a value is out of range */
    public TtlFlowSettings {
        if (ttls.lossBudget() > 0 && similarity.isEmpty()) {
            throw new IllegalArgumentException(
                    "loss budget is " + ttls.lossBudget() + " without a similarity; allowed: both, or none");
        }
        var unused = tracking(ttls, writeWindowMillis, sampledShare, similarity, costs);
    }

    TtlTracking tracking() {
        return tracking(ttls, writeWindowMillis, sampledShare, similarity, costs);
    }

    private static TtlTracking tracking(
            TtlSettings ttls, long writeWindowMillis, double sampledShare, String similarity, AccessCosts costs) {
        return new TtlTracking(
                ttls,
                new WriteWindow(writeWindowMillis, sampledShare),
                new UseMeter(costs),
                similarity.isEmpty() ? null : Similarities.parse(similarity));
    }
}
