package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Upper bounds of each component's contribution to the mature top k, separately for late and in-time results. They give
 * EXPIRED measurements a low end, since missing results must not look healthy. Mutable, for one service and one
 * partition of the log ({@link PartitionBounds}); stored field by field.
 *
 * <p>Let M be the missing components, and c the upper bounds of their shares. Then the join lacks at most a share C =
 * sum of c over M of the mature answer, and the online answer found a share q of the rest. Hence low = q (1 - C). This
 * holds for the true positive rate, if the items of M displace found and other items alike. A bound c covers a single
 * new contribution with probability {@value #COVERAGE}. It does so for any distribution, as long as missing results are
 * like those that arrived (split conformal prediction; Vovk et al., Algorithmic Learning in a Random World, 2005, sec.
 * 2.1): it is the n (1 + 1/n) 0.95-th smallest of the n latest contributions. The bound of a component with fewer than
 * 19 results is 1. In-time results that never reached the log count, too: they were in the answer, but the items that
 * they displaced are not known.
 *
 * <p>A measurement that is computed twice must be the same. So its bounds depend only on the measurements before a time
 * that the measurement itself determines ({@link QueryJoin#measuredBeforeMillis}). The order of learning has no effect,
 * because the bounds are computed from counts by event time.
 */
public final class ContributionBounds {
    /** Share of the missing contributions that the bound covers. */
    public static final double COVERAGE = 0.95;

    private static final long PANE_MILLIS = 10_000;

    /** Contributions are rounded up to multiples of 1 / {@value}. */
    private static final int PARTS = 20;

    /** A bound uses the latest panes, whole, until they have so many contributions. */
    private static final int ENOUGH = 100;

    /** Limit of panes of a component that a bound uses. */
    private static final int MOST_PANES = 30;

    /** Limit of panes of a component that are kept: half an hour, most of which may still change. */
    private static final int KEPT_PANES = 200;

    /** Suffix in {@link #panes} that marks the in-time results of a component; no component has such a name. */
    private static final String IN_TIME = "/in-time";

    /** Late results by component; in-time results by component and {@link #IN_TIME}. */
    public Map<String, Panes> panes = new HashMap<>();

    /** The in-time results in {@code panes} by the component's plain name, so that few names are composed. */
    private final transient Map<String, Panes> inTimePanes = new HashMap<>();

    /** Contributions of one component; stored field by field. */
    public static final class Panes {
        private static final int PANE_SHIFT = 32;
        private static final int PART_SHIFT = 24;
        private static final int MOST_COUNT = (1 << PART_SHIFT) - 1;

        /**
         * Counts of contributions, ascending. The bits of each are: number of the pane since the epoch, 32 bits;
         * contribution in parts, 0..{@value #PARTS}, 8 bits; count, 24 bits. Equal contributions of a pane share one.
         */
        public long[] counts = {};

        /** {@link #bound} was computed from the panes before the one with this number. */
        private transient long boundUntilPane = Long.MIN_VALUE;

        private transient double bound;

        private Panes copy() {
            Panes copy = new Panes();
            copy.counts = counts.clone();
            return copy;
        }

        private void learn(int part, long pane) {
            long first = pane << PANE_SHIFT | (long) part << PART_SHIFT;
            int at = indexOf(first);
            if (pane < boundUntilPane) {
                boundUntilPane = Long.MIN_VALUE;
            }
            if (at < counts.length && counts[at] >> PART_SHIFT == first >> PART_SHIFT) {
                counts[at] += (counts[at] & MOST_COUNT) < MOST_COUNT ? 1 : 0;
                return;
            }
            long[] more = new long[counts.length + 1];
            System.arraycopy(counts, 0, more, 0, at);
            more[at] = first + 1;
            System.arraycopy(counts, at, more, at + 1, counts.length - at);
            counts = more;
            if (size() > KEPT_PANES) {
                counts = Arrays.copyOfRange(counts, indexOf((paneAt(0) + 1) << PANE_SHIFT), counts.length);
                boundUntilPane = Long.MIN_VALUE;
            }
        }

        /** Index of the first count that is not before {@code first}. */
        private int indexOf(long first) {
            int at = Arrays.binarySearch(counts, first);
            // Each has a count of at least 1.
            return -at - 1;
        }

        private long paneAt(int index) {
            return counts[index] >> PANE_SHIFT;
        }

        /** Number of panes. */
        int size() {
            int size = 0;
            for (int at = 0; at < counts.length; at++) {
                size += at == 0 || paneAt(at) != paneAt(at - 1) ? 1 : 0;
            }
            return size;
        }

        /** The bound from the panes before {@code untilPane}; computed once, however many measurements need it. */
        private double bound(long untilPane) {
            if (untilPane != boundUntilPane) {
                bound = compute(untilPane);
                boundUntilPane = untilPane;
            }
            return bound;
        }

        private double compute(long untilPane) {
            int[] sums = new int[PARTS + 1];
            int seen = 0;
            int panes = 0;
            int end = indexOf(untilPane << PANE_SHIFT);
            for (int at = end - 1; at >= 0; at--) {
                if (at == end - 1 || paneAt(at) != paneAt(at + 1)) {
                    if (seen >= ENOUGH || panes == MOST_PANES) {
                        break;
                    }
                    panes++;
                }
                int count = (int) (counts[at] & MOST_COUNT);
                sums[(int) (counts[at] >> PART_SHIFT) & 0xff] += count;
                seen += count;
            }
            long rank = (long) Math.ceil(COVERAGE * (seen + 1));
            if (rank > seen) {
                return 1;
            }
            int part = -1;
            for (long below = 0; below < rank; ) {
                below += sums[++part];
            }
            return (double) part / PARTS;
        }
    }

    /** A copy that shares nothing. */
    public ContributionBounds copy() {
        ContributionBounds copy = new ContributionBounds();
        panes.forEach((component, own) -> copy.panes.put(component, own.copy()));
        return copy;
    }

    /**
     * Learns from complete degraded measurements; gives EXPIRED ones their low and high ends.
     *
     * @param beforeMillis the {@code measuredBeforeMillis} of {@link JoinOutput#onMeasurement}
     */
    public Measurement complete(Measurement measurement, long beforeMillis) {
        if (!measurement.degraded() || !measurement.completeness().hasQuality()) {
            return measurement;
        }
        if (measurement.completeness() == Completeness.COMPLETE) {
            learn(measurement);
            return measurement;
        }
        return withEnds(measurement, Math.min(1, missingShare(measurement, beforeMillis)));
    }

    private void learn(Measurement measurement) {
        // A replay does not show contributions of components.
        double sum = 0;
        for (ComponentShare share : measurement.components()) {
            sum += share.contribution();
        }
        if (sum == 0) {
            return;
        }
        for (ComponentShare share : measurement.components()) {
            // What was not asked contributed nothing by choice, not because it has nothing.
            if (share.outcome() != Outcome.NOT_ASKED) {
                learn(panesOf(share), share.contribution(), measurement.measuredAtMillis());
            }
        }
    }

    /** The panes of a component's late or in-time results; null if there is no room for the component. */
    private Panes panesOf(ComponentShare share) {
        if (share.outcome() != Outcome.IN_TIME) {
            return panesOf(share.component());
        }
        Panes known = inTimePanes.get(share.component());
        if (known == null) {
            known = panesOf(name(share));
            if (known != null) {
                inTimePanes.put(share.component(), known);
            }
        }
        return known;
    }

    private static String name(ComponentShare share) {
        return share.outcome() == Outcome.IN_TIME ? share.component() + IN_TIME : share.component();
    }

    /** Records the contribution of a component to one complete query, 0..1. */
    void learn(String component, double contribution, long atMillis) {
        learn(panesOf(component), contribution, atMillis);
    }

    private static void learn(Panes panes, double contribution, long atMillis) {
        if (panes != null) {
            panes.learn((int) Math.ceil(contribution * PARTS), paneOf(atMillis));
        }
    }

    /** Number of the pane of a time, since the epoch. */
    private static long paneOf(long millis) {
        return Math.floorDiv(millis, PANE_MILLIS);
    }

    /** The panes of a name; null if there is no room for the name. */
    private Panes panesOf(String component) {
        Panes known = panes.get(component);
        if (known == null && ComponentNames.hasRoom(panes, component)) {
            known = new Panes();
            panes.put(component, known);
        }
        return known;
    }

    /**
     * Upper bound of a missing component's contribution to the mature answer, 0..1.
     *
     * @param beforeMillis only measurements before this time count
     */
    double bound(String component, long beforeMillis) {
        Panes known = panes.get(component);
        return known == null ? 1 : known.bound(paneOf(beforeMillis));
    }

    private double missingShare(Measurement measurement, long beforeMillis) {
        double share = 0;
        for (ComponentShare component : measurement.components()) {
            if (component.missing()) {
                share += bound(name(component), beforeMillis);
            }
        }
        return share;
    }

    /**
     * Sets the ends of the scores. An in-time result that never reached the log was in the answer. So the answer may be
     * better than its recorded part, up to the greatest possible quality.
     */
    private static Measurement withEnds(Measurement measurement, double unseen) {
        boolean unseenInTime = isInTimeResultUnseen(measurement);
        // The best that a trimmed answer can be; a loss that nobody stated may be everything.
        double most = 1 - measurement.notAskedLoss().orElse(0.0);
        double known = measurement.isTrimmed() && measurement.notAskedLoss().isEmpty() ? 0 : 1;
        List<Score> scores = new ArrayList<>(measurement.scores().size());
        for (Score score : measurement.scores()) {
            scores.add(
                    new Score(score.metric(), known * score.high() * (1 - unseen), unseenInTime ? most : score.high()));
        }
        return measurement.withScores(List.copyOf(scores));
    }

    private static boolean isInTimeResultUnseen(Measurement measurement) {
        for (ComponentShare component : measurement.components()) {
            if (component.missing() && component.outcome() == Outcome.IN_TIME) {
                return true;
            }
        }
        return false;
    }
}
