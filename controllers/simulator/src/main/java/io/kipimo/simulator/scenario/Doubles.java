package io.kipimo.simulator.scenario;

import java.util.Arrays;

/** A list of numbers that grows. */
final class Doubles {
    private double[] values = new double[256];
    private int size;

    void add(double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    double[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
