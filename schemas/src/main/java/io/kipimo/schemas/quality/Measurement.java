package io.kipimo.schemas.quality;

import java.util.List;

/**
 * One sampled query, measured; topic {@code quality}. There is exactly one a query: (service, query
 * id) is its identity.
 *
 * @param measuredAtMillis event time of the last needed event or of the end of the window, epoch
 *     milliseconds
 * @param degraded a component timed out or failed, so the quality had to be measured rather than
 *     known to be 1
 * @param scores one a metric of the policy, the primary one first; empty for {@link
 *     Completeness#ORPHAN}
 * @param components every invoked component once
 */
public record Measurement(
        String service,
        String queryId,
        String queryClass,
        long startedAtMillis,
        long measuredAtMillis,
        Completeness completeness,
        boolean degraded,
        int topK,
        List<Score> scores,
        List<ComponentShare> components,
        boolean truncated) {

    /** The same of another class. */
    public Measurement ofClass(String otherClass) {
        return otherClass.equals(queryClass)
                ? this
                : new Measurement(
                        service,
                        queryId,
                        otherClass,
                        startedAtMillis,
                        measuredAtMillis,
                        completeness,
                        degraded,
                        topK,
                        scores,
                        components,
                        truncated);
    }
}
