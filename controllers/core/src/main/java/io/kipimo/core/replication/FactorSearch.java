package io.kipimo.core.replication;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * sPARE's algorithm 1, step by step: from the factors, of all feasible neighbours one copy up, try
 * the tier whose latency varies most; keep what improves; take out the whole direction of what does
 * not. A direction that was taken out holds for the factors that it was tried from: once another
 * tier has moved, the neighbours are new points.
 *
 * @param current best factors so far
 * @param removed directions taken out of the feasible set
 */
public record FactorSearch(Factors current, List<Ray> removed) {
    public FactorSearch {
        removed = List.copyOf(removed);
    }

    /**
     * All points of more copies in one tier: {@code {r' : r'_j > r_j, r'_i = r_i for i != j}}.
     *
     * @param tier j
     */
    public record Ray(Factors from, int tier) {
        boolean contains(Factors point) {
            for (int i = 0; i < from.tiers(); i++) {
                boolean on = i == tier ? point.at(i) > from.at(i) : point.at(i) == from.at(i);
                if (!on) {
                    return false;
                }
            }
            return true;
        }
    }

    /** What was measured under some factors. */
    public record Sample(double target, List<Double> variability) {}

    /** Where a search ended, and how many points it measured, the first included. */
    public record Result(Factors best, double target, int measurements) {}

    /** From no replication. */
    public static FactorSearch start(int tiers) {
        return from(Factors.ones(tiers));
    }

    /** From some factors, all directions open. */
    public static FactorSearch from(Factors factors) {
        return new FactorSearch(factors, List.of());
    }

    /** Tiers that may get a copy more (lines 3 and 15), in order. */
    public List<Integer> directions(FeasibleSet feasible) {
        List<Integer> directions = new ArrayList<>();
        for (int tier = 0; tier < current.tiers(); tier++) {
            Factors neighbour = current.moved(tier, 1);
            if (feasible.contains(neighbour)
                    && removed.stream().noneMatch(ray -> ray.contains(neighbour))) {
                directions.add(tier);
            }
        }
        return directions;
    }

    /**
     * The direction to try (line 6); ties go to the first tier. Empty: the search is over.
     *
     * @param variability w, one a tier
     */
    public OptionalInt next(FeasibleSet feasible, List<Double> variability) {
        return directions(feasible).stream()
                .mapToInt(Integer::intValue)
                .reduce((a, b) -> variability.get(b) > variability.get(a) ? b : a);
    }

    /** The neighbour improved (lines 10 and 11). */
    public FactorSearch improved(int tier) {
        return new FactorSearch(current.moved(tier, 1), removed);
    }

    /** Better factors were found without going step by step. */
    FactorSearch movedTo(Factors better) {
        return new FactorSearch(better, removed);
    }

    /** It did not: no point in this direction is tried from here (line 13). */
    public FactorSearch notImproved(int tier) {
        List<Ray> more = new ArrayList<>(removed);
        more.add(new Ray(current, tier));
        return new FactorSearch(current, more);
    }

    /** Factors that were gone to at once did not improve: they are not tried again, nor more so. */
    FactorSearch without(Factors point) {
        for (int tier = 0; tier < point.tiers(); tier++) {
            if (point.at(tier) > current.at(tier)) {
                List<Ray> more = new ArrayList<>(removed);
                more.add(new Ray(point.moved(tier, -1), tier));
                return new FactorSearch(current, more);
            }
        }
        throw new IllegalArgumentException(point + " has no more copies than " + current);
    }

    /** The whole algorithm as published, on anything that can be measured under given factors. */
    public static Result run(FeasibleSet feasible, Function<Factors, Sample> measure) {
        FactorSearch search = start(feasible.tiers().size());
        Sample best = measure.apply(search.current());
        int measurements = 1;
        OptionalInt next = search.next(feasible, best.variability());
        while (next.isPresent()) {
            Sample tried = measure.apply(search.current().moved(next.getAsInt(), 1));
            measurements++;
            if (tried.target() < best.target()) {
                search = search.improved(next.getAsInt());
                best = tried;
            } else {
                search = search.notImproved(next.getAsInt());
            }
            next = search.next(feasible, best.variability());
        }
        return new Result(search.current(), best.target(), measurements);
    }
}
