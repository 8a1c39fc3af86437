package io.kipimo.bench.foreseen;

import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * One query as its front end saw it, and its mature answer. Arrays by component have the recording's order.
 *
 * @param startMicros when the components were asked; the zero point is arbitrary
 * @param knownMicros when the mature answer was there, from the same zero point
 * @param cost predicted cost
 * @param features hashes of its terms; may be empty
 * @param latencyMicros of each component; up to the deadline if and only if its result is in the answer
 * @param found the items of the mature answer that each component returned, one bit each
 * @param kthScore the least score of the top k at each {@link Moment}; 0: fewer than k items
 */
record RecordedQuery(
        long startMicros,
        long knownMicros,
        double cost,
        long[] features,
        long[] latencyMicros,
        long[] found,
        double[] kthScore) {
    /** Latency of a result that did not come. */
    static final long NEVER = Long.MAX_VALUE;

    int components() {
        return found.length;
    }

    /** Components that have not answered at a time after the start. */
    IntStream outstanding(long micros) {
        return IntStream.range(0, components()).filter(c -> latencyMicros[c] > micros);
    }

    boolean isOpen(long micros) {
        return outstanding(micros).findAny().isPresent();
    }

    /**
     * Share of the mature answer's items that an answer of the chosen components has, 0..1; 1 if the mature answer has
     * no items.
     */
    double quality(IntPredicate inTime) {
        long all = 0;
        long had = 0;
        for (int c = 0; c < components(); c++) {
            all |= found[c];
            had |= inTime.test(c) ? found[c] : 0;
        }
        return all == 0 ? 1 : (double) Long.bitCount(had) / Long.bitCount(all);
    }

    /** Quality of the answer at the deadline. */
    double quality(long deadlineMicros) {
        return quality(c -> latencyMicros[c] <= deadlineMicros);
    }

    /** For each component, the quality that an answer loses if it alone is missing. */
    double[] shares() {
        return IntStream.range(0, components())
                .mapToDouble(without -> 1 - quality(c -> c != without))
                .toArray();
    }
}
