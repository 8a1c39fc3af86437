package io.kipimo.sdk;

import io.kipimo.core.quality.fanout.model.ContributionLearner;
import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.schemas.fanout.FanOutPublicationBuilder;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.quality.Features;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

/** What a choice of components costs a query of five features, beside asking all of them. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FanOutClientBenchmark {
    private static final int FEATURES = 5;
    private static final int QUERIES = 1024;

    @Param({"4", "16"})
    public int components;

    private final List<String> names = new ArrayList<>();
    private final Features[] features = new Features[QUERIES];
    private final String[] ids = new String[QUERIES];
    private final FanOutClient chosen = client();
    private final FanOutClient all = client();

    /** Position of one thread. */
    @State(Scope.Thread)
    public static class Position {
        private int next;

        private int step() {
            return next++ % QUERIES;
        }
    }

    private static FanOutClient client() {
        return new FanOutClient(SampleService.config(), InstantSource.system());
    }

    @Setup
    public void publishedModel() {
        Random random = new Random(5);
        for (int c = 0; c < components; c++) {
            names.add("shard-" + c);
        }
        double[] work = new double[components];
        Arrays.fill(work, 1);
        ContributionLearner learner = new ContributionLearner("search", names, 128 * 1024, 10_000);
        for (int i = 0; i < 8 * QUERIES; i++) {
            int topic = random.nextInt(components);
            double[] shares = new double[components];
            shares[topic] = 1;
            long[] hashes = new long[FEATURES];
            for (int f = 0; f < FEATURES; f++) {
                hashes[f] = 1_000L * topic + random.nextInt(50);
            }
            learner.learn(hashes, shares, work);
            features[i % QUERIES] = Features.of(hashes);
            ids[i % QUERIES] = "%016x%016x".formatted(random.nextLong(), random.nextLong());
        }
        long now = System.currentTimeMillis();
        chosen.offer(FanOutPublicationBuilder.builder()
                .service("search")
                .queryClass(SampleService.LOW)
                .version(1)
                .learnedAtMillis(now)
                .validUntilMillis(now + 3_600_000)
                .state(FanOutState.ON)
                .reason("saves work")
                .floor(0.93)
                .exploration(0.02)
                .model(Optional.of(learner.model(1, now).table()))
                .build());
    }

    @Benchmark
    public FanOutChoice choose(Position position) {
        int i = position.step();
        return chosen.choose(SampleService.LOW, ids[i], features[i], names);
    }

    @Benchmark
    public FanOutChoice askAll(Position position) {
        int i = position.step();
        return all.choose(SampleService.LOW, ids[i], features[i], names);
    }
}
