package io.kipimo.core.invalidation;

/**
 * A query that {@link CapacityPlan} may admit. Results of admitted queries are cached, and writes are matched against
 * them.
 *
 * @param hitsSaved reads a second that caches are expected to answer instead of the origin, at least 0
 * @param cost cost of matching writes against the query, in the unit of the plan's budget, above 0
 * @param isAdmitted whether the query is admitted at present
 */
public record Candidate(String queryKey, double hitsSaved, double cost, boolean isAdmitted) {
    public Candidate {
        if (!(hitsSaved >= 0) || !(cost > 0) || Double.isInfinite(hitsSaved + cost)) {
            throw new IllegalArgumentException(
                    "query " + queryKey + ": hitsSaved " + hitsSaved + ", cost " + cost + "; allowed: from 0, above 0");
        }
    }
}
