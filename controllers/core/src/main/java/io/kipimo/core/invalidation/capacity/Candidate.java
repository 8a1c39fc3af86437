package io.kipimo.core.invalidation.capacity;

/**
 * A query that might be cached and matched.
 *
 * @param hitsSaved expected, a second, from 0
 * @param cost of matching, in the unit of the budget, above 0
 * @param isAdmitted whether it is in now
 */
public record Candidate(String queryKey, double hitsSaved, double cost, boolean isAdmitted) {
    public Candidate {
        if (!(hitsSaved >= 0) || !(cost > 0) || Double.isInfinite(hitsSaved + cost)) {
            throw new IllegalArgumentException(
                    "query "
                            + queryKey
                            + ": hitsSaved "
                            + hitsSaved
                            + ", cost "
                            + cost
                            + "; allowed: from 0, above 0");
        }
    }
}
