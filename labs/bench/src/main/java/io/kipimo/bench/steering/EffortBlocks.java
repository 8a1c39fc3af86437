package io.kipimo.bench.steering;

import io.kipimo.bench.report.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Asks an engine of its own processes the same queries at each level. The processor time is known only to a hundredth
 * of a second. So it is read around blocks of queries; a block is half of a group at one level.
 */
final class EffortBlocks<Q> {
    /** An answer's ids, best first, and what the engine counted. */
    record CountedAnswer(List<String> ids, double counted) {}

    /** Asks the engine. */
    interface BlockEngine<Q> {
        CountedAnswer ask(Q query, int level) throws IOException, InterruptedException;

        /** Of all of its processes since they started. */
        long cpuNanos();
    }

    private final BlockEngine<Q> engine;
    private final int levels;
    private final double[] counted;
    private long asked;

    EffortBlocks(BlockEngine<Q> engine, int levels) {
        this.engine = engine;
        this.levels = levels;
        counted = new double[levels];
    }

    /**
     * One round to warm up, and {@code rounds} measured ones.
     *
     * @param groups of queries; each second query judges
     */
    EffortSamples measure(String service, List<String> names, List<List<Q>> groups, int rounds, Context context)
            throws IOException, InterruptedException {
        List<List<Q>> halves = new ArrayList<>();
        for (List<Q> group : groups) {
            halves.add(each(group, 0));
            halves.add(each(group, 1));
        }
        List<double[][]> quality = new ArrayList<>();
        double[][] cpuMicros = new double[halves.size()][levels];
        for (int round = 0; round <= rounds; round++) {
            context.say("%s: round %d of %d", service, round, rounds);
            for (int h = 0; h < halves.size(); h++) {
                List<Q> half = halves.get(h);
                List<List<CountedAnswer>> answers = new ArrayList<>();
                for (int i = 0; i < levels; i++) {
                    answers.add(List.of());
                }
                for (int i = 0; i < levels; i++) {
                    // Not always the same one after the fullest.
                    int level = (i + round + h) % levels;
                    List<CountedAnswer> block = new ArrayList<>();
                    long before = engine.cpuNanos();
                    for (Q query : half) {
                        block.add(engine.ask(query, level));
                    }
                    if (round > 0) {
                        cpuMicros[h][level] += (engine.cpuNanos() - before) / 1e3 / half.size() / rounds;
                    }
                    answers.set(level, block);
                }
                if (round == 0) {
                    quality.add(quality(answers));
                }
            }
        }
        List<EffortSamples.QueryGroup> learned = new ArrayList<>();
        List<EffortSamples.QueryGroup> judged = new ArrayList<>();
        for (int h = 0; h < halves.size(); h++) {
            (h % 2 == 0 ? learned : judged).add(new EffortSamples.QueryGroup(quality.get(h), cpuMicros[h]));
        }
        double[] mean = counted.clone();
        for (int level = 0; level < levels; level++) {
            mean[level] /= asked;
        }
        return new EffortSamples(service, names, mean, learned, judged);
    }

    private double[][] quality(List<List<CountedAnswer>> answers) {
        int queries = answers.get(0).size();
        double[][] quality = new double[queries][levels];
        for (int q = 0; q < queries; q++) {
            for (int level = 0; level < levels; level++) {
                CountedAnswer answer = answers.get(level).get(q);
                quality[q][level] = EffortSamples.share(answers.get(0).get(q).ids(), answer.ids());
                counted[level] += answer.counted();
            }
        }
        asked += queries;
        return quality;
    }

    private static <T> List<T> each(List<T> all, int offset) {
        List<T> half = new ArrayList<>();
        for (int i = offset; i < all.size(); i += 2) {
            half.add(all.get(i));
        }
        return half;
    }

    /**
     * Equal groups of ascending predicted cost, each of at least two queries.
     *
     * @param byCost all queries in this order
     */
    static <T> List<List<T>> groups(List<T> byCost, int count) {
        return IntStream.range(0, count)
                .mapToObj(g -> byCost.subList(g * byCost.size() / count, (g + 1) * byCost.size() / count))
                .filter(group -> group.size() > 1)
                .toList();
    }
}
