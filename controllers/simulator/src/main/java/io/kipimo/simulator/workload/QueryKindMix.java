package io.kipimo.simulator.workload;

import java.util.List;

/**
 * Shares of the query kinds, which change at given times (Ubora, sec. 8: at 45 minutes and 2 hours).
 *
 * @param phases ascending; the first is in force from the start
 */
public record QueryKindMix(List<KindPhase> phases) {
    /** @param shares share of each kind, not all 0; their sum need not be 1 */
    public record KindPhase(double fromSeconds, double[] shares) {
        public KindPhase {
            ModelChecks.atLeast("start of a mix", fromSeconds, 0);
            double sum = 0;
            for (double share : shares) {
                ModelChecks.atLeast("share of a kind", share, 0);
                sum += share;
            }
            ModelChecks.above("sum of the shares", sum, 0);
        }
    }

    /** The mix of a service with a single kind. */
    public static final QueryKindMix SINGLE = new QueryKindMix(List.of(new KindPhase(0, new double[] {1})));

    public QueryKindMix {
        phases = List.copyOf(phases);
        ModelChecks.atLeast("number of mixes", phases.size(), 1);
    }

    /**
     * Returns the kind of a query.
     *
     * @param uniform random number in [0, 1) that decides
     */
    public int kindAt(double seconds, double uniform) {
        KindPhase phase = phases.get(0);
        for (KindPhase candidate : phases) {
            if (candidate.fromSeconds() <= seconds) {
                phase = candidate;
            }
        }
        double sum = 0;
        for (double share : phase.shares()) {
            sum += share;
        }
        double rest = uniform * sum;
        int last = 0;
        for (int kind = 0; kind < phase.shares().length; kind++) {
            if (phase.shares()[kind] > 0) {
                last = kind;
                rest -= phase.shares()[kind];
                if (rest < 0) {
                    return kind;
                }
            }
        }
        return last;
    }
}
