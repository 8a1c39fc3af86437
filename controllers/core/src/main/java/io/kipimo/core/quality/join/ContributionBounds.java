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

    /** A name in the data must not fill the state: of what is beyond, nothing is known. */
    private static final int MOST_COMPONENTS = 2_000;

    /** Follows the component in the name of its in-time results; no component is called so. */
    private static final String IN_TIME = "/in-time";

    /** By component, of late results; by component and {@link #IN_TIME}, of those in time. */
    public Map<String, Panes> panes = new HashMap<>();

    /** What one component gave; a Flink POJO. */
    public static final class Panes {
        /** By start of the pane: counts by contribution in parts, 0..{@value #PARTS}. */
        public Map<Long, int[]> countsByStart = new HashMap<>();
    }

    /**
     * Learns from complete degraded measurements; gives EXPIRED ones their ends.
     *
     * @param beforeMillis {@link QueryJoin#measuredBeforeMillis} of the measurement
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
        int[] counts = counts(component, atMillis - Math.floorMod(atMillis, PANE_MILLIS));
        if (counts != null) {
            counts[(int) Math.ceil(contribution * PARTS)]++;
        }
    }

    /** Null: there is no room for the component. */
    private int[] counts(String component, long paneMillis) {
        Panes one = panes.get(component);
        if (one == null) {
            if (panes.size() >= MOST_COMPONENTS) {
                return null;
            }
            one = new Panes();
            panes.put(component, one);
        }
        Map<Long, int[]> known = one.countsByStart;
        int[] counts = known.get(paneMillis);
        if (counts == null) {
            counts = new int[PARTS + 1];
            known.put(paneMillis, counts);
            if (known.size() > KEPT_PANES) {
                known.remove(Collections.min(known.keySet()));
            }
        }
        return counts;
    }

    /**
     * What a missing component gave at most to the mature answer, 0..1.
     *
     * @param beforeMillis only what was measured before counts
     */
    double bound(String component, long beforeMillis) {
        if (!panes.containsKey(component)) {
            return 1;
        }
        Map<Long, int[]> known = panes.get(component).countsByStart;
        long[] latestFirst =
                known.keySet().stream()
                        .filter(start -> start + PANE_MILLIS <= beforeMillis)
                        .mapToLong(start -> -start)
                        .sorted()
                        .limit(MOST_PANES)
                        .toArray();
        int[] sums = new int[PARTS + 1];
        int seen = 0;
        for (int pane = 0; pane < latestFirst.length && seen < ENOUGH; pane++) {
            int[] counts = known.get(-latestFirst[pane]);
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
     * what came of it, up to 1; then nothing is known to be lost by the late components either.
     */
    private static Measurement withEnds(Measurement measurement, double unseen) {
        boolean unseenInTime =
                measurement.components().stream()
                        .anyMatch(c -> c.missing() && c.outcome() == Outcome.IN_TIME);
        List<Score> scores = new ArrayList<>(measurement.scores().size());
        for (Score score : measurement.scores()) {
            scores.add(
                    new Score(
                            score.metric(),
                            score.high() * (1 - unseen),
                            unseenInTime ? 1 : score.high()));
        }
        Measurement bounded = measurement.withScores(List.copyOf(scores));
        return unseenInTime ? bounded.withoutLosses() : bounded;
    }
}
