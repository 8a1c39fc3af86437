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
     * All points with more copies in one tier and with equal factors in the others: {@code {r' : r'_j > r_j, r'_i = r_i
     * for i != j}}.
     *
     * @param from r
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

    /** The target and the variability w of each tier, as measured under some factors. */
    public record FactorSample(double target, List<Double> variability) {}

    /**
     * The result of a search: the best factors, their target, and the number of measured points, including the first.
     */
    public record FactorResult(Factors best, double target, int measurements) {}

    /** A search that starts from no replication. */
    public static FactorSearch start(int tiers) {
        return from(Factors.ones(tiers));
    }

    /** A search that starts from these factors, with no direction removed. */
    public static FactorSearch from(Factors factors) {
        return new FactorSearch(factors, List.of());
    }

    /** Tiers that may get a copy more (lines 3 and 15 of the algorithm), in order. */
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
     * The tier to try with one copy more: the one whose latency varies most, or the first of several (line 6 of the
     * paper's algorithm). Empty if the search is over.
     *
     * @param variability variability w of the latency of each tier
     */
    public OptionalInt next(FeasibleSet feasible, List<Double> variability) {
        return directions(feasible).stream()
                .mapToInt(Integer::intValue)
                .reduce((a, b) -> variability.get(b) > variability.get(a) ? b : a);
    }

    /** The search after the neighbour with one copy more in the tier improved the target (lines 10 and 11). */
    public FactorSearch improved(int tier) {
        return new FactorSearch(current.moved(tier, 1), removed);
    }

    /** The search after a move to better factors, in one step of any length. */
    FactorSearch movedTo(Factors better) {
        return new FactorSearch(better, removed);
    }

    /**
     * The search after the neighbour did not improve the target: no point in this direction is tried from here (line
     * 13).
     */
    public FactorSearch notImproved(int tier) {
        List<Ray> more = new ArrayList<>(removed);
        more.add(new Ray(current, tier));
        return new FactorSearch(current, more);
    }

    /**
     * The search after factors more than one step away did not improve the target. It tries neither these factors
     * again, nor those that add further copies in the first tier that they raise.
     */
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
