package io.kipimo.simulator.caching;

import io.kipimo.simulator.engine.RandomStream;
import java.util.Arrays;

/** Numbers 0..n-1, number i with weight (i + 1)^-exponent, by inversion of a table. */
final class Zipf {
    private final double[] cumulative;

    Zipf(int size, double exponent) {
        cumulative = new double[size];
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += StrictMath.pow(i + 1, -exponent);
            cumulative[i] = sum;
        }
    }

    int draw(RandomStream random) {
        double wanted = random.nextDouble() * cumulative[cumulative.length - 1];
        int at = Arrays.binarySearch(cumulative, wanted);
        return Math.min(cumulative.length - 1, at >= 0 ? at + 1 : -at - 1);
    }
}
