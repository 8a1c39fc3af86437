package io.kipimo.core.invalidation.capacity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which queries are in, and what that takes.
 *
 * @param admit keys of queries that come in, the most worthy first
 * @param evict keys of queries that go out
 * @param cost of all that are in afterwards
 * @param hitsSaved by all that are in afterwards, a second
 */
public record CapacityPlan(List<String> admit, List<String> evict, double cost, double hitsSaved) {
    public CapacityPlan {
        admit = List.copyOf(admit);
        evict = List.copyOf(evict);
    }

    /**
     * Takes queries by hits saved per cost, highest first, as far as the budget goes; one that does
     * not fit is passed over. Queries that save nothing stay out.
     *
     * @param budget sum of costs, at least 0
     * @param loyalty by how much a newcomer must be better than one that is in, at least 0: 0.2 is
     *     a fifth. Every admission costs an evaluation, so equals are not exchanged to and fro
     */
    public static CapacityPlan of(Collection<Candidate> candidates, double budget, double loyalty) {
        if (!(budget >= 0) || !(loyalty >= 0)) {
            throw new IllegalArgumentException(
                    "budget " + budget + ", loyalty " + loyalty + "; allowed: from 0");
        }
        List<Candidate> ranked = new ArrayList<>(candidates);
        ranked.sort(
                Comparator.comparingDouble((Candidate c) -> -worth(c, loyalty))
                        .thenComparing(Candidate::queryKey));
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
        List<String> evict =
                candidates.stream()
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
