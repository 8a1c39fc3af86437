package io.kipimo.core.invalidation;

/**
 * A query that might be cached and matched.
 *
 * @param hitsSaved expected hits saved a second, at least 0
 * @param cost cost of matching, in the unit of the budget, above 0
 * @param isAdmitted whether it is admitted now
 */
public record Candidate(String queryKey, double hitsSaved, double cost, boolean isAdmitted) {
    public Candidate {
        if (!(hitsSaved >= 0) || !(cost > 0) || Double.isInfinite(hitsSaved + cost)) {
            throw new IllegalArgumentException(
                    "query " + queryKey + ": hitsSaved " + hitsSaved + ", cost " + cost + "; allowed: from 0, above 0");
        }
    }
}
