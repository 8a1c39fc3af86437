package io.kipimo.core.quality.deadline;

import java.util.Arrays;

/** Adds arrays with the rises of step functions by index on the {@link DeadlineGrid}; arrays end at the last rise. */
final class Rises {
    private Rises() {}

    static double[] withRoom(double[] rises, int length) {
        return rises.length >= length ? rises : Arrays.copyOf(rises, length);
    }

    static double[] sum(double[] rises, double[] others) {
        double[] sum = withRoom(rises, others.length);
        for (int i = 0; i < others.length; i++) {
            sum[i] += others[i];
        }
        return sum;
    }

    /** Sum of the rises up to and including an index. */
    static double upTo(double[] rises, int index) {
        double sum = 0;
        for (int i = 0; i <= index && i < rises.length; i++) {
            sum += rises[i];
        }
        return sum;
    }
}
