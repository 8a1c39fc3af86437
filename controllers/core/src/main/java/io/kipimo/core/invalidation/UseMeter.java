package io.kipimo.core.invalidation;

/**
 * Estimates the worth of caching a query and chooses the form in which its result is cached. Both follow from the reads
 * that reach the origin and from the changes of the result. Has no state of its own.
 *
 * <p>The paper has a "capacity management model" (Quaestor, sec. 4.1) and a "cost-based decision model ... to weigh
 * fewer invalidations against fewer round-trips" (sec. 4.2), but gives no formulas for either. Here they are
 * {@link QueryDemand} and {@link AccessCosts}; this class provides their input from observations.
 *
 * <p>Reads answered by caches do not reach the origin. During exposure, which begins when the time to live ends or the
 * result changes, all reads reach the origin. If reads are a Poisson process, n reads in t seconds of exposure give a
 * rate of (n - 2) / t, which is the estimator of an exponential's rate with the least mean squared error. Through other
 * caches, some reads reach the origin even while one cache could answer. So the rate of all reads at the origin is a
 * lower bound of the rate of reads.
 */
public record UseMeter(AccessCosts costs) {
    /** Age at which an observation has half its weight. */
    private static final double HALF_LIFE_SECONDS = 600;

    /** A shorter time of observation counts as this long. */
    private static final double LEAST_SECONDS = 60;

    /** Least number of reads during exposure from which their rate is estimated. */
    private static final double LEAST_EXPOSED_READS = 3;

    /** Least number of reads after which a form is chosen. */
    private static final double LEAST_READS = 10;

    /** Least time between two choices of the form. */
    private static final long LEAST_HOLD_MILLIS = 60_000;

    /** Least saving that justifies a change of the form, as a share of the current form's cost. */
    private static final double HYSTERESIS = 0.2;

    private static final double MILLIS_PER_SECOND = 1000;
    private static final double DECAY_PER_SECOND = Math.log(2) / HALF_LIFE_SECONDS;

    /**
     * Updates the use after the origin handed out a result. The first read does not count as a read during exposure,
     * because the query becomes known only through it.
     *
     * @param before null at the first read
     * @param ttlMillis time to live that was handed out with the result, at least 0
     * @param records number of records in the result, at least 0
     * @param recordWrites writes a second over these records, at least 0
     */
    public ObservedUse read(ObservedUse before, long ttlMillis, int records, double recordWrites, long atMillis) {
        if (before == null) {
            return ObservedUseBuilder.builder()
                    .reads(1)
                    .recordWrites(recordWrites)
                    .records(records)
                    .coveredUntilMillis(atMillis + ttlMillis)
                    .atMillis(atMillis)
                    .chosenAtMillis(atMillis)
                    .form(Representation.OBJECT_LIST)
                    .build();
        }
        ObservedUse now = at(before, atMillis);
        boolean isExposed = atMillis >= before.coveredUntilMillis();
        return chosen(ObservedUseBuilder.builder(now)
                .reads(now.reads() + 1)
                .exposedReads(now.exposedReads() + (isExposed ? 1 : 0))
                .recordWrites(recordWrites)
                .records(records)
                .coveredUntilMillis(Math.max(now.coveredUntilMillis(), atMillis + ttlMillis))
                .build());
    }

    /**
     * Updates the use after a change of the result.
     *
     * @param changesIds whether records entered or left, or moved
     */
    public ObservedUse changed(ObservedUse before, boolean changesIds, long atMillis) {
        ObservedUse now = at(before, atMillis);
        return chosen(ObservedUseBuilder.builder(now)
                .membershipChanges(now.membershipChanges() + (changesIds ? 1 : 0))
                .contentChanges(now.contentChanges() + (changesIds ? 0 : 1))
                // Purged caches, and clients with the filter, do not
                // use it any more.
                .coveredUntilMillis(Math.min(now.coveredUntilMillis(), Math.max(atMillis, before.atMillis())))
                .build());
    }

    /**
     * The query's rates of reads and changes, per second. A write that leaves a list of ids valid may not be reported
     * as a change of the result. So the rate of content changes is at least the rate of writes of its records minus the
     * rate of membership changes.
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

    /** Reads a second that caches answer instead of the origin, in the chosen form. */
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
        Representation form = costs.choose(demand(use), (int) use.records(), use.form(), HYSTERESIS);
        if (use.isChosen() && form == use.form()) {
            return use;
        }
        return ObservedUseBuilder.builder(use)
                .chosenAtMillis(use.atMillis())
                .form(form)
                .isChosen(true)
                .build();
    }

    /** Decays the use to a later time. A time before the last known one counts as the last known one. */
    private static ObservedUse at(ObservedUse use, long atMillis) {
        double seconds = Math.max(0, atMillis - use.atMillis()) / MILLIS_PER_SECOND;
        double exposed = Math.max(0, atMillis - Math.max(use.atMillis(), use.coveredUntilMillis())) / MILLIS_PER_SECOND;
        double left = Math.exp(-DECAY_PER_SECOND * seconds);
        return ObservedUseBuilder.builder(use)
                .reads(use.reads() * left)
                .seconds(use.seconds() * left + weight(seconds))
                .exposedReads(use.exposedReads() * left)
                .exposedSeconds(use.exposedSeconds() * left + weight(exposed))
                .membershipChanges(use.membershipChanges() * left)
                .contentChanges(use.contentChanges() * left)
                .atMillis(Math.max(use.atMillis(), atMillis))
                .build();
    }

    /** Weight of the last {@code seconds} up to now, after their decay. */
    private static double weight(double seconds) {
        return -Math.expm1(-DECAY_PER_SECOND * seconds) / DECAY_PER_SECOND;
    }
}
