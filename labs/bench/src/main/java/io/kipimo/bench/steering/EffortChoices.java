package io.kipimo.bench.steering;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Ways to choose a level for each query, and what they bring.
 *
 * @param good quality from which an answer counts as good, 0..1
 */
record EffortChoices(EffortSamples samples, double good) {
    /** Prices of lost quality that are tried, as multiples of the full level's cost. */
    private static final double[] PRICES = IntStream.rangeClosed(-60, 100)
            .mapToDouble(i -> Math.pow(10, i / 20.0))
            .toArray();

    /**
     * Mean over queries.
     *
     * @param cpuMicros of a query
     * @param good share of the queries, 0..1
     */
    record EffortPoint(double cpuMicros, double quality, double good) {
        double goodPerCpuMicro() {
            return good / cpuMicros;
        }
    }

    /**
     * What a class gets out of a budget that does not suffice for all of its queries at full.
     *
     * @param admitted share of the queries that are not turned away, 0..1
     * @param quality mean of the admitted ones
     * @param good good answers, as a share of all queries
     */
    record ServedClass(double admitted, double quality, double good) {}

    /** Each level for all queries, by ascending cost. */
    List<EffortPoint> fixed() {
        List<EffortPoint> points = new ArrayList<>();
        for (int level = samples.levels().size() - 1; level >= 0; level--) {
            points.add(point(samples.judged(), same(level)));
        }
        return points;
    }

    /** The best level for each group by what was learned, for rising prices of lost quality. */
    List<EffortPoint> byGroup() {
        return choices().stream().map(levels -> point(samples.judged(), levels)).toList();
    }

    /** The best level for each query by its true quality: the most that any choice can reach. */
    List<EffortPoint> perfect() {
        return prices().mapToObj(price -> {
                    double[] sums = new double[3];
                    int count = 0;
                    for (EffortSamples.QueryGroup group : samples.judged()) {
                        for (double[] quality : group.quality()) {
                            int level = best(group.cpuMicros(), quality, price);
                            sums[0] += group.cpuMicros()[level];
                            sums[1] += quality[level];
                            sums[2] += quality[level] >= good ? 1 : 0;
                            count++;
                        }
                    }
                    return new EffortPoint(sums[0] / count, sums[1] / count, sums[2] / count);
                })
                .distinct()
                .toList();
    }

    /** The cheapest fixed level that kept a quality while it was learned. */
    int[] fixedAt(double floor) {
        for (int level = samples.levels().size() - 1; level > 0; level--) {
            if (point(samples.learned(), same(level)).quality >= floor) {
                return same(level);
            }
        }
        return same(0);
    }

    /** What a choice of levels brings on queries that did not teach it. */
    EffortPoint judge(int[] levels) {
        return point(samples.judged(), levels);
    }

    /**
     * The choice by group that gives the most good answers within a budget, among the choices that kept a quality.
     *
     * @param cpuMicros for each query that asks
     * @param costliestFirst how queries are turned away
     */
    int[] byGroupWithin(double floor, double cpuMicros, boolean costliestFirst) {
        return choices().stream()
                .filter(levels -> point(samples.learned(), levels).quality >= floor)
                .max(Comparator.comparingDouble(
                        levels -> serve(samples.learned(), levels, cpuMicros, costliestFirst).good))
                .orElse(same(0));
    }

    /** What a choice brings under a budget, on queries that did not teach it. */
    ServedClass serve(int[] levels, double cpuMicros, boolean costliestFirst) {
        return serve(samples.judged(), levels, cpuMicros, costliestFirst);
    }

    int[] same(int level) {
        int[] levels = new int[samples.learned().size()];
        Arrays.fill(levels, level);
        return levels;
    }

    private DoubleStream prices() {
        double full = point(samples.learned(), same(0)).cpuMicros;
        return Arrays.stream(PRICES).map(price -> price * full);
    }

    /** A level for each group, with rising prices; the last is the full level. */
    private List<int[]> choices() {
        List<int[]> choices = new ArrayList<>();
        prices().forEach(price -> {
            int[] levels = samples.learned().stream()
                    .mapToInt(group -> best(
                            group.cpuMicros(),
                            IntStream.range(0, samples.levels().size())
                                    .mapToDouble(group::quality)
                                    .toArray(),
                            price))
                    .toArray();
            if (choices.isEmpty() || !Arrays.equals(choices.get(choices.size() - 1), levels)) {
                choices.add(levels);
            }
        });
        choices.add(same(0));
        return choices;
    }

    private static int best(double[] cpuMicros, double[] quality, double price) {
        int best = 0;
        for (int level = 1; level < cpuMicros.length; level++) {
            if (cpuMicros[level] - price * quality[level] < cpuMicros[best] - price * quality[best]) {
                best = level;
            }
        }
        return best;
    }

    private EffortPoint point(List<EffortSamples.QueryGroup> groups, int[] levels) {
        double cpuMicros = 0;
        double quality = 0;
        double goodAnswers = 0;
        int count = 0;
        for (int g = 0; g < levels.length; g++) {
            EffortSamples.QueryGroup group = groups.get(g);
            cpuMicros += group.size() * group.cpuMicros()[levels[g]];
            quality += group.size() * group.quality(levels[g]);
            goodAnswers += group.size() * group.good(levels[g], good);
            count += group.size();
        }
        return new EffortPoint(cpuMicros / count, quality / count, goodAnswers / count);
    }

    private ServedClass serve(
            List<EffortSamples.QueryGroup> groups, int[] levels, double cpuMicros, boolean costliestFirst) {
        if (!costliestFirst) {
            EffortPoint all = point(groups, levels);
            double admitted = Math.min(1, cpuMicros / all.cpuMicros);
            return new ServedClass(admitted, all.quality, admitted * all.good);
        }
        int[] cheapestFirst = IntStream.range(0, levels.length)
                .boxed()
                .sorted(Comparator.comparingDouble(g -> samples.learned().get(g).cpuMicros()[0]))
                .mapToInt(g -> g)
                .toArray();
        int count = groups.stream().mapToInt(EffortSamples.QueryGroup::size).sum();
        double left = cpuMicros * count;
        double admitted = 0;
        double quality = 0;
        double goodAnswers = 0;
        for (int g : cheapestFirst) {
            EffortSamples.QueryGroup group = groups.get(g);
            double queries = Math.min(group.size(), left / group.cpuMicros()[levels[g]]);
            left -= queries * group.cpuMicros()[levels[g]];
            admitted += queries;
            quality += queries * group.quality(levels[g]);
            goodAnswers += queries * group.good(levels[g], good);
        }
        return new ServedClass(admitted / count, quality / admitted, goodAnswers / count);
    }
}
