package io.kipimo.core.tails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class LatencySketchPropertyTest {
    private static final double[] QUANTILES = {0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1};

    @Property(tries = 60, seed = "41")
    void quantilesOfHundredsOfMergedSketchesAreWithin1PercentOfTheExactOnes(
            @ForAll HeavyTails tail,
            @ForAll @IntRange(min = 1, max = 500) int sketches,
            @ForAll @IntRange(min = 1, max = 200) int each,
            @ForAll long seed) {
        DoubleSupplier latency = tail.micros(new SplittableRandom(seed));
        LatencySketch merged = new LatencySketch();
        long[] all = new long[sketches * each];
        for (int i = 0; i < sketches; i++) {
            LatencySketch sketch = new LatencySketch();
            for (int j = 0; j < each; j++) {
                long micros = (long) latency.getAsDouble();
                all[i * each + j] = micros;
                sketch.record(micros);
            }
            merged.merge(LatencySketch.fromBytes(sketch.toBytes()));
        }

        Arrays.sort(all);
        for (double quantile : QUANTILES) {
            double exact = all[(int) Math.floor(quantile * (all.length - 1))];
            assertThat(merged.quantileMicros(quantile))
                    .as("%s quantile %s of %s", tail, quantile, all.length)
                    .isCloseTo(exact, within(exact * LatencySketch.ACCURACY + 1e-6));
        }
        assertThat(merged.count()).isEqualTo(all.length);
        assertThat(merged.minimumMicros()).isEqualTo(all[0]);
        assertThat(merged.maximumMicros()).isEqualTo(all[all.length - 1]);
        double mean = Arrays.stream(all).average().orElseThrow();
        assertThat(merged.meanMicros()).isCloseTo(mean, within(mean * 1e-12));
        double variance =
                Arrays.stream(all).mapToDouble(x -> (x - mean) * (x - mean)).sum() / all.length;
        assertThat(merged.coefficientOfVariation()).isCloseTo(Math.sqrt(variance) / mean, within(1e-6));
    }

    @Property(tries = 200, seed = "42")
    void orderAndGroupingOfMergesDoNotShowInTheBytes(
            @ForAll HeavyTails tail, @ForAll @IntRange(min = 1, max = 40) int sketches, @ForAll long seed) {
        DoubleSupplier latency = tail.micros(new SplittableRandom(seed));
        List<LatencySketch> parts = new ArrayList<>();
        LatencySketch direct = new LatencySketch();
        for (int i = 0; i < sketches; i++) {
            LatencySketch part = new LatencySketch();
            for (int j = 0; j < 50; j++) {
                long micros = (long) latency.getAsDouble();
                part.record(micros);
                direct.record(micros);
            }
            parts.add(part);
        }
        Collections.shuffle(parts, new Random(seed));
        LatencySketch left = new LatencySketch();
        LatencySketch right = new LatencySketch();
        for (int i = 0; i < sketches; i++) {
            (i % 3 == 0 ? left : right).merge(parts.get(i));
        }

        byte[] bytes = right.plus(left).toBytes();

        assertThat(bytes).isEqualTo(direct.toBytes());
        assertThat(LatencySketch.fromBytes(bytes).toBytes()).isEqualTo(bytes);
        assertThat(LatencySketch.fromBytes(bytes)).isEqualTo(direct);
    }

    @Property(tries = 100, seed = "43")
    void theEmpiricalCdfIsWithinTheBinThatTheBoundFallsInto(@ForAll HeavyTails tail, @ForAll long seed) {
        DoubleSupplier latency = tail.micros(new SplittableRandom(seed));
        LatencySketch sketch = new LatencySketch();
        long[] all = new long[5_000];
        for (int i = 0; i < all.length; i++) {
            all[i] = (long) latency.getAsDouble();
            sketch.record(all[i]);
        }
        Arrays.sort(all);
        for (int i = 0; i < all.length; i += 251) {
            double bound = all[i];
            double least = Arrays.stream(all).filter(x -> x <= bound * 0.979).count() / 5_000.0;
            double most = Arrays.stream(all).filter(x -> x <= bound * 1.021 + 1).count() / 5_000.0;
            assertThat(sketch.shareAtMost(bound)).isBetween(least, most);
        }
        assertThat(sketch.shareAtMost((double) all[all.length - 1])).isEqualTo(1);
        assertThat(sketch.shareAtMost(all[0] - 1.0)).isZero();
    }

    /** Bytes from the network may be anything. */
    @Property(seed = "44")
    void changedBytesGiveASketchThatWorksOrOneException(@ForAll HeavyTails tail, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DoubleSupplier latency = tail.micros(random);
        LatencySketch sketch = new LatencySketch();
        for (int i = random.nextInt(300); i > 0; i--) {
            sketch.record((long) latency.getAsDouble());
        }
        byte[] bytes = sketch.toBytes();
        bytes = Arrays.copyOf(bytes, Math.max(0, bytes.length - random.nextInt(3)));
        for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        try {
            LatencySketch read = LatencySketch.fromBytes(bytes);
            assertThat(read.quantileMicros(0.99))
                    .isBetween((double) read.minimumMicros(), (double) read.maximumMicros());
            assertThat(read.shareAtMost(read.quantileMicros(0.5))).isBetween(0.0, 1.0);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageStartingWith("latency sketch");
        }
    }
}
