package io.kipimo.core.quality.fanout.model;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Estimates by how much latencies are longer now than in the quietest time. Under load queries wait for one another,
 * and cheap queries wait as long as costly ones. If this time counted as work, cheap queries, and the components that
 * they leave out, would look costlier than they are. Mutable, for one thread.
 */
final class Waiting {
    /** Number of the latest queries whose mean latency counts as the present one. */
    private static final double RECENT = 300;

    private final double[] recent;
    private final double[] counts;

    /** Mean latency of the quietest time; 0: not known. */
    private final double[] least;

    private final double growth;

    /**
     * @param halfLifeQueries half-life of the learner; after four times as many queries, twice the latency counts as
     *     quiet, because services do become slower
     */
    Waiting(int components, double halfLifeQueries) {
        recent = new double[components];
        counts = new double[components];
        least = new double[components];
        growth = Math.pow(2, 0.25 / halfLifeQueries);
    }

    /** Learns the latencies of one query; 0: unknown. */
    void learn(double[] latencies) {
        for (int c = 0; c < recent.length; c++) {
            if (latencies[c] > 0) {
                counts[c] = Math.min(RECENT, counts[c] + 1);
                recent[c] += (latencies[c] - recent[c]) / counts[c];
                if (counts[c] == RECENT) {
                    least[c] = least[c] == 0 ? recent[c] : Math.min(recent[c], least[c] * growth);
                }
            }
        }
    }

    /** Mean waiting for a component, at least 0, in the unit of the latencies. */
    double of(int component) {
        return least[component] == 0 ? 0 : recent[component] - least[component];
    }

    void write(DataOutput out) throws IOException {
        Doubles.write(recent, out);
        Doubles.write(counts, out);
        Doubles.write(least, out);
    }

    void read(DataInput in) throws IOException {
        Doubles.read(recent, in);
        Doubles.read(counts, in);
        Doubles.read(least, in);
    }
}
