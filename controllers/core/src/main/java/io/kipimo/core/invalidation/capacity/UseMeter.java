package io.kipimo.core.invalidation.capacity;

import io.kipimo.core.invalidation.Representation;

/**
 * What a query is worth to caches, and in which form it is to be cached, from the reads that reach
 * the origin and the changes of its result. Pure.
 *
 * <p>The paper has a "capacity management model" (Quaestor, sec. 4.1) and a "cost-based decision
 * model ... to weigh fewer invalidations against fewer round-trips" (sec. 5), and leaves the
 * formulas of both out. Here they are {@link QueryDemand} and {@link AccessCosts}; this class feeds
 * them with what is observed.
 *
 * <p>The origin does not see the reads that caches answer. But while none can answer, since the
 * time to live that was handed out has run out or the result has changed, it sees all. If reads are
 * a Poisson process, n reads in the t seconds of exposure show a rate of (n - 2) / t, the estimator
 * of an exponential's rate with the least mean squared error. Reads that come though a cache could
 * answer, from other caches, make it at least their own rate.
 */
public final class UseMeter {
    /** What is this old counts half. */
    private static final double HALF_LIFE_SECONDS = 600;

    /** Watching for less says as much as watching for so long. */
    private static final double LEAST_SECONDS = 60;

    /** Exposed reads below this tell no rate. */
    private static final double LEAST_EXPOSED_READS = 3;

    /** Below so many reads no form is chosen. */
    private static final double LEAST_READS = 10;

    /** A choice stands for so long. */
    private static final long LEAST_HOLD_MILLIS = 60_000;

    /** By so much less must the other form take before it is chosen instead. */
    private static final double HYSTERESIS = 0.2;

    private static final double MILLIS_PER_SECOND = 1000;
    private static final double DECAY_PER_SECOND = Math.log(2) / HALF_LIFE_SECONDS;

    private final AccessCosts costs;

    public UseMeter(AccessCosts costs) {
        this.costs = costs;
    }

    /**
     * A result was handed out by the origin. The first one only starts the clock of exposure: that
     * it was asked for at all is why it is known.
     *
     * @param before null at the first read
     * @param ttlMillis that was handed out, from 0
     * @param records in the result, from 0
     * @param recordWrites a second, over these, from 0
     */
    public ObservedUse read(
            ObservedUse before, long ttlMillis, int records, double recordWrites, long atMillis) {
        if (before == null) {
            return new ObservedUse(
                    1,
                    0,
                    0,
                    0,
                    0,
                    0,
                    recordWrites,
                    records,
                    atMillis + ttlMillis,
                    atMillis,
                    atMillis,
                    Representation.OBJECT_LIST,
                    false);
        }
        ObservedUse now = at(before, atMillis);
        boolean isExposed = atMillis >= before.coveredUntilMillis();
        return chosen(
                new ObservedUse(
                        now.reads() + 1,
                        now.seconds(),
                        now.exposedReads() + (isExposed ? 1 : 0),
                        now.exposedSeconds(),
                        now.membershipChanges(),
                        now.contentChanges(),
                        recordWrites,
                        records,
                        Math.max(now.coveredUntilMillis(), atMillis + ttlMillis),
                        now.atMillis(),
                        now.chosenAtMillis(),
                        now.form(),
                        now.isChosen()));
    }

    /**
     * The result has changed.
     *
     * @param changesIds whether records entered or left, or moved
     */
    public ObservedUse changed(ObservedUse before, boolean changesIds, long atMillis) {
        ObservedUse now = at(before, atMillis);
        return chosen(
                new ObservedUse(
                        now.reads(),
                        now.seconds(),
                        now.exposedReads(),
                        now.exposedSeconds(),
                        now.membershipChanges() + (changesIds ? 1 : 0),
                        now.contentChanges() + (changesIds ? 0 : 1),
                        now.recordWrites(),
                        now.records(),
                        // A cache that was purged, or a client that asks the filter, has it no
                        // more.
                        Math.min(now.coveredUntilMillis(), Math.max(atMillis, before.atMillis())),
                        now.atMillis(),
                        now.chosenAtMillis(),
                        now.form(),
                        now.isChosen()));
    }

    /**
     * How the query is read and changes, rates a second. Writes of its records that were not told
     * as changes of the result, since a list of ids bears them, are changes of content.
     */
    public QueryDemand demand(ObservedUse use) {
        double seconds = Math.max(use.seconds(), LEAST_SECONDS);
        double reads = use.reads() / seconds;
        if (use.exposedReads() >= LEAST_EXPOSED_READS && use.exposedSeconds() > 0) {
            reads = Math.max(reads, (use.exposedReads() - 2) / use.exposedSeconds());
        }
        double membership = use.membershipChanges() / seconds;
        double content = Math.max(use.contentChanges() / seconds, use.recordWrites() - membership);
        return new QueryDemand(reads, membership, content);
    }

    /** Reads a second that caches answer in the origin's stead, in the form that is chosen. */
    public double hitsSaved(ObservedUse use) {
        QueryDemand demand = demand(use);
        return demand.hitsSaved(
                use.form() == Representation.ID_LIST
                        ? demand.membershipChanges()
                        : demand.membershipChanges() + demand.contentChanges());
    }

    private ObservedUse chosen(ObservedUse use) {
        if (use.reads() < LEAST_READS
                || (use.isChosen() && use.atMillis() - use.chosenAtMillis() < LEAST_HOLD_MILLIS)) {
            return use;
        }
        Representation form =
                costs.choose(demand(use), (int) use.records(), use.form(), HYSTERESIS);
        if (use.isChosen() && form == use.form()) {
            return use;
        }
        return new ObservedUse(
                use.reads(),
                use.seconds(),
                use.exposedReads(),
                use.exposedSeconds(),
                use.membershipChanges(),
                use.contentChanges(),
                use.recordWrites(),
                use.records(),
                use.coveredUntilMillis(),
                use.atMillis(),
                use.atMillis(),
                form,
                true);
    }

    /** The same, later; what comes late counts as of the latest time that is known. */
    private static ObservedUse at(ObservedUse use, long atMillis) {
        double seconds = Math.max(0, atMillis - use.atMillis()) / MILLIS_PER_SECOND;
        double exposed =
                Math.max(0, atMillis - Math.max(use.atMillis(), use.coveredUntilMillis()))
                        / MILLIS_PER_SECOND;
        double left = Math.exp(-DECAY_PER_SECOND * seconds);
        return new ObservedUse(
                use.reads() * left,
                use.seconds() * left + weight(seconds),
                use.exposedReads() * left,
                use.exposedSeconds() * left + weight(exposed),
                use.membershipChanges() * left,
                use.contentChanges() * left,
                use.recordWrites(),
                use.records(),
                use.coveredUntilMillis(),
                Math.max(use.atMillis(), atMillis),
                use.chosenAtMillis(),
                use.form(),
                use.isChosen());
    }

    /** What the seconds that end now count, when each counts less the older it is. */
    private static double weight(double seconds) {
        return -Math.expm1(-DECAY_PER_SECOND * seconds) / DECAY_PER_SECOND;
    }
}
