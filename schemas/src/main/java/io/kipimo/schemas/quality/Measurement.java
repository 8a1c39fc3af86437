package io.kipimo.schemas.quality;

import java.util.List;
import java.util.Optional;

/**
 * One sampled query, measured; topic {@code quality}. There is exactly one a query: (service, query
 * id) is its identity.
 *
 * @param measuredAtMillis event time of the last needed event or of the end of the window, epoch
 *     milliseconds
 * @param degraded a component timed out or failed, so the quality had to be measured rather than
 *     known to be 1
 * @param scores one a metric of the policy, the primary one first; empty without a {@linkplain
 *     Completeness#hasQuality quality}
 * @param components every invoked component once
 * @param unmeasurable set if and only if {@link Completeness#NOT_MEASURABLE}
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
        boolean truncated,
        Optional<Unmeasurable> unmeasurable) {

    /** A measurement that is not {@link Completeness#NOT_MEASURABLE}. */
    public Measurement(
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
        this(
                service,
                queryId,
                queryClass,
                startedAtMillis,
                measuredAtMillis,
                completeness,
                degraded,
                topK,
                scores,
                components,
                truncated,
                Optional.empty());
    }

    /** The same of another class. */
    public Measurement ofClass(String otherClass) {
        return otherClass.equals(queryClass) ? this : with(otherClass, scores, components);
    }

    /** The same with other scores. */
    public Measurement withScores(List<Score> others) {
        return with(queryClass, others, components);
    }

    /** The same with no loss attributed to any component. */
    public Measurement withoutLosses() {
        return with(
                queryClass,
                scores,
                components.stream()
                        .map(
                                c ->
                                        new ComponentShare(
                                                c.component(),
                                                c.outcome(),
                                                c.latencyMicros(),
                                                c.missing(),
                                                0,
                                                c.contribution()))
                        .toList());
    }

    private Measurement with(
            String otherClass, List<Score> otherScores, List<ComponentShare> otherComponents) {
        return new Measurement(
                service,
                queryId,
                otherClass,
                startedAtMillis,
                measuredAtMillis,
                completeness,
                degraded,
                topK,
                otherScores,
                otherComponents,
                truncated,
                unmeasurable);
    }
}
