package io.kipimo.core.quality.fanout.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

/** What a choice and a learned query cost, with five features, by number of components. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class ContributionModelBenchmark {
    private static final int FEATURES = 5;
    private static final int QUERIES = 1024;

    @Param({"4", "16", "64"})
    public int components;

    private final List<String> names = new ArrayList<>();
    private final long[][] features = new long[QUERIES][FEATURES];
    private final double[][] shares = new double[QUERIES][];
    private double[] work;
    private ContributionLearner learner;
    private ContributionModel model;
    private int next;

    @Setup
    public void seededService() {
        Random random = new Random(5);
        for (int c = 0; c < components; c++) {
            names.add("shard-" + c);
        }
        work = new double[components];
        Arrays.fill(work, 1);
        for (int i = 0; i < QUERIES; i++) {
            int topic = random.nextInt(components);
            shares[i] = new double[components];
            shares[i][topic] = 1;
            for (int f = 0; f < FEATURES; f++) {
                features[i][f] = 1_000L * topic + random.nextInt(50);
            }
        }
        learner = new ContributionLearner(
                "search", names, ContributionModel.MOST_BYTES, ContributionLearner.HALF_LIFE_QUERIES);
        for (int i = 0; i < 4 * QUERIES; i++) {
            learn();
        }
        model = learner.model(1, 0);
    }

    @Benchmark
    public boolean learn() {
        int i = next++ % QUERIES;
        return learner.learn(features[i], shares[i], work);
    }

    @Benchmark
    public FanOutChoice choose() {
        return FanOutChoice.choose(model, features[next++ % QUERIES], names, Double.POSITIVE_INFINITY, 0.93);
    }

    /** Runs it alone; arguments are JMH's. */
    public static void main(String[] args) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(ContributionModelBenchmark.class.getSimpleName())
                        .build())
                .run();
    }
}
