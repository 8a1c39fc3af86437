package io.kipimo.core.invalidation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Admissions and evictions of queries, with the resulting cost.
 *
 * @param admit keys of queries to admit, highest worth first
 * @param evict keys of queries to evict
 * @param cost cost of all queries that are admitted once the plan is carried out, new and old
 * @param hitsSaved reads a second that caches answer instead of the origin thanks to these queries together
 */
public record CapacityPlan(List<String> admit, List<String> evict, double cost, double hitsSaved) {
    public CapacityPlan {
        admit = List.copyOf(admit);
        evict = List.copyOf(evict);
    }

    /**
     * Chooses queries by hits saved per cost, highest first, within the budget. Queries that do not fit are skipped.
     * Queries that save no hits are not admitted.
     *
     * @param budget greatest sum of costs, at least 0
     * @param loyalty advantage in hits saved per cost that a new query needs to replace an admitted one, as a fraction,
     *     at least 0. Every admission costs an evaluation, so queries of equal worth must not replace each other
     */
    public static CapacityPlan of(Collection<Candidate> candidates, double budget, double loyalty) {
        if (!(budget >= 0) || !(loyalty >= 0)) {
            throw new IllegalArgumentException("budget " + budget + ", loyalty " + loyalty + "; allowed: from 0");
        }
        List<Candidate> ranked = new ArrayList<>(candidates);
        ranked.sort(
                Comparator.comparingDouble((Candidate c) -> -worth(c, loyalty)).thenComparing(Candidate::queryKey));
        List<String> admit = new ArrayList<>();
        Set<String> in = new HashSet<>();
        double cost = 0;
        double hitsSaved = 0;
        for (Candidate candidate : ranked) {
            if (candidate.hitsSaved() > 0 && cost + candidate.cost() <= budget) {
                cost += candidate.cost();
                hitsSaved += candidate.hitsSaved();
                in.add(candidate.queryKey());
                if (!candidate.isAdmitted()) {
                    admit.add(candidate.queryKey());
                }
            }
        }
        List<String> evict = candidates.stream()
                .filter(c -> c.isAdmitted() && !in.contains(c.queryKey()))
                .map(Candidate::queryKey)
                .sorted()
                .toList();
        return new CapacityPlan(admit, evict, cost, hitsSaved);
    }

    private static double worth(Candidate candidate, double loyalty) {
        double worth = candidate.hitsSaved() / candidate.cost();
        return candidate.isAdmitted() ? worth * (1 + loyalty) : worth;
    }
}
