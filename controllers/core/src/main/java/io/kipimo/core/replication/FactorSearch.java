package io.kipimo.core.replication;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * sPARE's algorithm 1, step by step. Among the feasible neighbours with one copy more, it tries the tier whose latency
 * varies most. It keeps a neighbour that improves the target and removes the whole direction of one that does not. A
 * removed direction belongs to the factors that it was tried from: once another tier has moved, the neighbours are new
 * points.
 *
 * @param current best factors so far
 * @param removed directions removed from the feasible set
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

    /** Measured figures under some factors. */
    public record FactorSample(double target, List<Double> variability) {}

    /** The end of a search, and the number of measured points, including the first. */
    public record FactorResult(Factors best, double target, int measurements) {}

    /** A search from no replication. */
    public static FactorSearch start(int tiers) {
        return from(Factors.ones(tiers));
    }

    /** A search from these factors, with all directions. */
    public static FactorSearch from(Factors factors) {
        return new FactorSearch(factors, List.of());
    }

    /** Tiers that may get a copy more (lines 3 and 15), in order. */
    public List<Integer> directions(FeasibleSet feasible) {
        List<Integer> directions = new ArrayList<>();
        for (int tier = 0; tier < current.tiers(); tier++) {
            Factors neighbour = current.moved(tier, 1);
            if (feasible.contains(neighbour) && removed.stream().noneMatch(ray -> ray.contains(neighbour))) {
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

    /** Moves to better factors in one step of any length. */
    FactorSearch movedTo(Factors better) {
        return new FactorSearch(better, removed);
    }

    /** The neighbour did not improve: no point in this direction is tried from here (line 13). */
    public FactorSearch notImproved(int tier) {
        List<Ray> more = new ArrayList<>(removed);
        more.add(new Ray(current, tier));
        return new FactorSearch(current, more);
    }

    /** Factors more than one step away did not improve: neither they nor points beyond them are tried again. */
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

    /** The whole algorithm as published, for any measure of factors. */
    public static FactorResult run(FeasibleSet feasible, Function<Factors, FactorSample> measure) {
        FactorSearch search = start(feasible.tiers().size());
        FactorSample best = measure.apply(search.current());
        int measurements = 1;
        OptionalInt next = search.next(feasible, best.variability());
        while (next.isPresent()) {
            FactorSample tried = measure.apply(search.current().moved(next.getAsInt(), 1));
            measurements++;
            if (tried.target() < best.target()) {
                search = search.improved(next.getAsInt());
                best = tried;
            } else {
                search = search.notImproved(next.getAsInt());
            }
            next = search.next(feasible, best.variability());
        }
        return new FactorResult(search.current(), best.target(), measurements);
    }
}
