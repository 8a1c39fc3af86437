package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each component of a service gives at most to the mature top k, when it is late and when it
 * is in time, so that an EXPIRED measurement can say how bad the answer may have been: what never
 * arrived must not look healthy. Mutable, of one service; a Flink POJO.
 *
 * <p>With missing components M that give at most shares c, the mature answer held at most a share C
 * = sum of c over M that the join did not see, and the online answer found a share q of the rest.
 * Hence low = q (1 - C), for the true positive rate if what M gives displaces found and other items
 * alike. The c are upper bounds of a single new contribution at {@value #COVERAGE}, exact for any
 * distribution as long as missing results are like those that came (split conformal prediction;
 * Vovk et al., Algorithmic Learning in a Random World, 2005, sec. 2.1): the n (1 + 1/n) 0.95-th
 * smallest of the n latest. A component that was seen less than 19 times may give everything.
 * In-time results that never came to the log count, too: they were in the answer, but what they
 * displaced in it is not known.
 *
 * <p>A fact that is computed twice has to be the same. So the bounds of a measurement follow from
 * the measurements before a time that it implies ({@link QueryJoin#measuredBeforeMillis}), in
 * whatever order they were learned: they are counts by event time.
 */
public final class ContributionBounds {
    /** Share of the missing contributions that the bound is to cover. */
    public static final double COVERAGE = 0.95;

    private static final long PANE_MILLIS = 10_000;

    /** Contributions are rounded up to whole ones of this many parts. */
    private static final int PARTS = 20;

    /** As many of the latest contributions are enough; whole panes count. */
    private static final int ENOUGH = 100;

    /** Of one component, panes that a bound leans on. */
    private static final int MOST_PANES = 30;

    /** Of one component, panes that are kept: half an hour, most of which may not be final yet. */
    private static final int KEPT_PANES = 200;

    /** Follows the component in the name of its in-time results; no component is called so. */
    private static final String IN_TIME = "/in-time";

    /** By component, of late results; by component and {@link #IN_TIME}, of those in time. */
    public Map<String, Panes> panes = new HashMap<>();

    /** What one component gave; a Flink POJO. */
    public static final class Panes {
        /** By start of the pane: counts by contribution in parts, 0..{@value #PARTS}. */
        public Map<Long, int[]> countsByStart = new HashMap<>();

        /** Of all panes that end by then, epoch milliseconds, as the bound was asked for last. */
        private transient long boundUntilMillis = Long.MIN_VALUE;

        private transient double bound;

        private int[] countsOf(long startMillis) {
            // Whoever asks will change them.
            if (startMillis + PANE_MILLIS <= boundUntilMillis) {
                boundUntilMillis = Long.MIN_VALUE;
            }
            int[] counts = countsByStart.get(startMillis);
            if (counts == null) {
                counts = new int[PARTS + 1];
                countsByStart.put(startMillis, counts);
                if (countsByStart.size() > KEPT_PANES) {
                    countsByStart.remove(Collections.min(countsByStart.keySet()));
                    boundUntilMillis = Long.MIN_VALUE;
                }
            }
            return counts;
        }

        /** Sorted once a pane of event time, however many measurements miss the component then. */
        private double bound(long beforeMillis) {
            long untilMillis = paneOf(beforeMillis);
            if (untilMillis != boundUntilMillis) {
                bound = compute(untilMillis);
                boundUntilMillis = untilMillis;
            }
            return bound;
        }

        private double compute(long untilMillis) {
            long[] latestFirst =
                    countsByStart.keySet().stream()
                            .filter(start -> start < untilMillis)
                            .mapToLong(start -> -start)
                            .sorted()
                            .limit(MOST_PANES)
                            .toArray();
            int[] sums = new int[PARTS + 1];
            int seen = 0;
            for (int pane = 0; pane < latestFirst.length && seen < ENOUGH; pane++) {
                int[] counts = countsByStart.get(-latestFirst[pane]);
                for (int part = 0; part <= PARTS; part++) {
                    sums[part] += counts[part];
                    seen += counts[part];
                }
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

    /**
     * Learns from complete degraded measurements; gives EXPIRED ones their ends.
     *
     * @param beforeMillis of the measurement, as {@link JoinOutput#onMeasurement} says
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

    /** Takes in what another one of the same service learned. */
    public void add(ContributionBounds other) {
        other.panes.forEach(
                (component, theirs) ->
                        theirs.countsByStart.forEach(
                                (start, counts) -> {
                                    int[] mine = counts(component, start);
                                    for (int i = 0; mine != null && i <= PARTS; i++) {
                                        mine[i] += counts[i];
                                    }
                                }));
    }

    private void learn(Measurement measurement) {
        // A replay does not show what any component gave.
        if (measurement.components().stream().allMatch(c -> c.contribution() == 0)) {
            return;
        }
        for (ComponentShare share : measurement.components()) {
            learn(name(share), share.contribution(), measurement.measuredAtMillis());
        }
    }

    private static String name(ComponentShare share) {
        return share.outcome() == Outcome.IN_TIME ? share.component() + IN_TIME : share.component();
    }

    /** Takes what a late component gave to one complete query, 0..1. */
    void learn(String component, double contribution, long atMillis) {
        int[] counts = counts(component, paneOf(atMillis));
        if (counts != null) {
            counts[(int) Math.ceil(contribution * PARTS)]++;
        }
    }

    /** Start of the pane that a time is in; the end of the last one that ends by then. */
    private static long paneOf(long millis) {
        return millis - Math.floorMod(millis, PANE_MILLIS);
    }

    /** Null: there is no room for the component. */
    private int[] counts(String component, long paneMillis) {
        return ComponentNames.hasRoom(panes, component)
                ? panes.computeIfAbsent(component, c -> new Panes()).countsOf(paneMillis)
                : null;
    }

    /**
     * What a missing component gave at most to the mature answer, 0..1.
     *
     * @param beforeMillis only what was measured before counts
     */
    double bound(String component, long beforeMillis) {
        Panes known = panes.get(component);
        return known == null ? 1 : known.bound(beforeMillis);
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
     * An in-time result that never came to the log was in the answer, which may so be better than
     * what came of it, up to 1.
     */
    private static Measurement withEnds(Measurement measurement, double unseen) {
        boolean unseenInTime = isInTimeResultUnseen(measurement);
        List<Score> scores = new ArrayList<>(measurement.scores().size());
        for (Score score : measurement.scores()) {
            scores.add(
                    new Score(
                            score.metric(),
                            score.high() * (1 - unseen),
                            unseenInTime ? 1 : score.high()));
        }
        return withoutUnknownLosses(measurement.withScores(List.copyOf(scores)));
    }

    /**
     * With an in-time result unseen, nothing is known to be lost by the late components: the answer
     * may have been perfect.
     */
    static Measurement withoutUnknownLosses(Measurement measurement) {
        return isInTimeResultUnseen(measurement) ? measurement.withoutLosses() : measurement;
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
