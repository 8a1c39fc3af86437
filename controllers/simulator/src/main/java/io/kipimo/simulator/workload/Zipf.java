package io.kipimo.simulator.workload;

import io.kipimo.simulator.engine.RandomStream;
import java.util.Arrays;

/** Draws numbers 0..n-1 by Zipf's law, by inversion of a table. */
public final class Zipf {
    private final double[] cumulative;

    public Zipf(int size, double exponent) {
        cumulative = weights(size, exponent);
        for (int i = 1; i < size; i++) {
            cumulative[i] += cumulative[i - 1];
        }
    }

    /** The weight of number i is (i + 1)^-exponent. */
    public static double[] weights(int size, double exponent) {
        double[] weights = new double[size];
        Arrays.setAll(weights, i -> StrictMath.pow(i + 1, -exponent));
        return weights;
    }

    public int draw(RandomStream random) {
        double wanted = random.nextDouble() * cumulative[cumulative.length - 1];
        int at = Arrays.binarySearch(cumulative, wanted);
        return Math.min(cumulative.length - 1, at >= 0 ? at + 1 : -at - 1);
    }
}
