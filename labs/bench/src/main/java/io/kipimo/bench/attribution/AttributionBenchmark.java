package io.kipimo.bench.attribution;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.core.quality.merge.Shapley;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Cost of attributing one query's loss to its late components, and the error of sampled Shapley values against exact
 * ones. Measures the processor time of the measuring thread, so that other load has little effect.
 */
public final class AttributionBenchmark implements Benchmark {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int[] LATE = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32};
    private static final int QUERIES = 16;
    private static final int ROUNDS = 5;

    @Override
    public Result run(Context context) {
        int mostExact = context.choose(9, 12, 16);
        double roundMillis = context.choose(1.0, 50.0, 200.0);
        Table table = new Table("One query");
        for (int late : LATE) {
            LateQuery[] queries = queries(late);
            boolean exact = late <= Shapley.EXACT_PLAYERS;
            double micros = cpuMicros(queries, roundMillis);
            AttributionErrors errors = !exact && late <= mostExact ? errors(queries) : null;
            table.row()
                    .cell("late components", late)
                    .cell("how", exact ? "exact" : "sampled")
                    .cell("CPU-us a query", micros)
                    .cell("us a late component", micros / late)
                    .cell("mean error", errors == null ? null : errors.mean())
                    .cell("largest error", errors == null ? null : errors.largest())
                    .cell(
                            "mean loss of a component",
                            Arrays.stream(queries)
                                    .mapToDouble(q -> q.loss() / late)
                                    .average()
                                    .orElse(0));
            context.say("%d late: %.1f CPU-us a query", late, micros);
        }
        return new Result(
                List.of(table),
                List.of("the same number of components was in time; 20 items each, top 20, "
                        + LateQuery.METRIC
                        + "; errors are absolute differences of a component's share from the"
                        + " exact one, over "
                        + QUERIES
                        + " queries; exact up to "
                        + Shapley.EXACT_PLAYERS
                        + " late components, and computed here for up to "
                        + mostExact));
    }

    private static LateQuery[] queries(int late) {
        LateQuery[] queries = new LateQuery[QUERIES];
        for (int i = 0; i < QUERIES; i++) {
            queries[i] = LateQuery.of(late, new SplittableRandom(31L * late + i));
        }
        return queries;
    }

    /** Median of the measured rounds; the earlier rounds are warm-up. */
    private static double cpuMicros(LateQuery[] queries, double roundMillis) {
        double[] rounds = new double[2 * ROUNDS];
        double sink = 0;
        for (int round = 0; round < rounds.length; round++) {
            long start = THREADS.getCurrentThreadCpuTime();
            long spent;
            int count = 0;
            do {
                LateQuery query = queries[count % queries.length];
                sink += query.attribute(new SplittableRandom(count))[0];
                count++;
                spent = THREADS.getCurrentThreadCpuTime() - start;
            } while (spent < roundMillis * 1e6);
            rounds[round] = spent / 1e3 / count;
        }
        if (Double.isNaN(sink)) {
            throw new IllegalStateException("a loss is not a number");
        }
        double[] warm = Arrays.copyOfRange(rounds, ROUNDS, rounds.length);
        Arrays.sort(warm);
        return warm[ROUNDS / 2];
    }

    private record AttributionErrors(double mean, double largest) {}

    private static AttributionErrors errors(LateQuery[] queries) {
        double sum = 0;
        double largest = 0;
        int count = 0;
        for (int i = 0; i < queries.length; i++) {
            double[] exact = queries[i].attributeExactly();
            double[] sampled = queries[i].attribute(new SplittableRandom(i));
            for (int player = 0; player < exact.length; player++) {
                double error = Math.abs(exact[player] - sampled[player]);
                sum += error;
                largest = Math.max(largest, error);
                count++;
            }
        }
        return new AttributionErrors(sum / count, largest);
    }
}
