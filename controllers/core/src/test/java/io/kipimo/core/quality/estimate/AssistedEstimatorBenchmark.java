package io.kipimo.core.quality.estimate;

import io.kipimo.schemas.quality.Estimate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What a degraded sample costs ({@link #sample}), and what a window costs ({@link #window}; beside it
 * {@link #stratified}), by number of components; a degraded answer lacks half of them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class AssistedEstimatorBenchmark {
    private static final String METRIC = "tpr@20";

    @Param({"4", "16", "64", "1000"})
    public int components;

    private final CostMemory memory = new CostMemory();
    private final List<List<String>> lacked = new ArrayList<>();
    private final CostSums sums = new CostSums();
    private MissingCounts counts;
    private int next;

    @Setup
    public void seededService() {
        Random random = new Random(5);
        Map<String, Long> missing = new HashMap<>();
        StratumCounts strata = StratumCounts.NONE.plusCounted(2000, 1024);
        for (int i = 0; i < 1024; i++) {
            List<String> names = new ArrayList<>();
            for (int c = 0; c < components; c++) {
                if (random.nextBoolean()) {
                    names.add("shard-" + c);
                }
            }
            lacked.add(names);
            names.forEach(name -> missing.merge(name, 1L, Long::sum));
            sample();
        }
        memory.learn(sums);
        for (int i = 0; i < 20; i++) {
            strata = strata.plusDegraded(0.5, 0.5);
        }
        counts = new MissingCounts(strata, missing, Map.of());
    }

    @Benchmark
    public CostSums sample() {
        List<String> names = lacked.get(next++ % lacked.size());
        sums.add(names);
        sums.addLoss(names, METRIC, 0.5, 0.5);
        return sums;
    }

    @Benchmark
    public Estimate window() {
        return AssistedEstimator.estimate(
                        counts, counts, CostModel.of(memory, METRIC).orElseThrow())
                .orElseThrow();
    }

    @Benchmark
    public Estimate stratified() {
        return StratifiedEstimator.estimate(counts.strata()).orElseThrow();
    }

    /** Runs it alone; arguments are JMH's. */
    public static void main(String[] args) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(AssistedEstimatorBenchmark.class.getSimpleName())
                        .build())
                .run();
    }
}
