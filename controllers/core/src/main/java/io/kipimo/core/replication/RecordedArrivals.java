package io.kipimo.core.replication;

import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Requests in the order and rhythm in which they were recorded, at any mean rate: the gaps between them keep their
 * proportions. So a burst stays a burst, whereas a Poisson process of the same rate has no bursts. After the last
 * request comes the first one again.
 */
public final class RecordedArrivals {
    /** Least number of requests in a recording, since one request has no gap. */
    public static final int FEWEST = 2;

    /**
     * One request.
     *
     * @param seconds time of arrival in seconds since any origin; finite
     * @param text what was asked, such as a key or a path; may be empty
     */
    public record RecordedArrival(double seconds, String text) {}

    private final double[] gaps;
    private final String[] texts;
    private final double perSecond;

    private RecordedArrivals(double[] gaps, String[] texts, double perSecond) {
        this.gaps = gaps;
        this.texts = texts;
        this.perSecond = perSecond;
    }

    /**
     * A recording.
     *
     * @param arrivals in any order, because logs are written when requests end
     * @throws IllegalArgumentException if they do not have two different times
     */
    public static RecordedArrivals of(List<RecordedArrival> arrivals) {
        List<RecordedArrival> ordered = arrivals.stream()
                .sorted(Comparator.comparingDouble(RecordedArrival::seconds))
                .toList();
        int count = ordered.size();
        double span = count < FEWEST ? 0 : ordered.get(count - 1).seconds - ordered.get(0).seconds;
        if (!(span > 0 && Double.isFinite(span))) {
            throw new IllegalArgumentException(
                    "arrivals are " + count + " in " + span + " s; allowed: two different times");
        }
        double mean = span / (count - 1);
        double[] gaps = new double[count];
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            // None is known between the last and the first.
            gaps[i] = i == 0 ? 1 : (ordered.get(i).seconds - ordered.get(i - 1).seconds) / mean;
            texts[i] = ordered.get(i).text;
        }
        return new RecordedArrivals(gaps, texts, 1 / mean);
    }

    /** Mean rate of the recording. */
    public double perSecond() {
        return perSecond;
    }

    public int size() {
        return gaps.length;
    }

    /** Whether every request has a text. */
    public boolean hasTexts() {
        for (String text : texts) {
            if (text.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** A reader that begins at a random request; the same seed gives the same request. Not thread-safe. */
    public ArrivalReader somewhere(long seed) {
        return new ArrivalReader(new SplittableRandom(seed).nextInt(gaps.length));
    }

    /** Reads requests one after another, without end. */
    public final class ArrivalReader {
        private int next;
        private String text = "";

        private ArrivalReader(int first) {
            next = first;
        }

        /** Goes to the next request and returns the gap before it, as a multiple of the mean gap. */
        public double gap() {
            double gap = gaps[next];
            text = texts[next];
            next = (next + 1) % gaps.length;
            return gap;
        }

        /**
         * Goes on by a number of requests and returns the sum of the gaps before them, as a multiple of the mean gap.
         */
        public double gaps(int count) {
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += gap();
            }
            return sum;
        }

        /** Text of the request that was read last; empty before the first. */
        public String text() {
            return text;
        }
    }
}
