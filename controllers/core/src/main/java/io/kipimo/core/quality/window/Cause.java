package io.kipimo.core.quality.window;

/** Causes of the verdict on a class. */
public enum Cause {
    /** The high end of the interval is below the objective. */
    BELOW_OBJECTIVE(Verdict.WRONG),
    /** Many of the measured queries are EXPIRED. */
    MANY_EXPIRED(Verdict.WRONG),
    /** The lease of the newest decision has ended. */
    LEASE_ENDED(Verdict.WRONG),
    /** A fault outside of the controller has held it for long. */
    CONTROLLER_HELD(Verdict.WRONG),
    /** The error budget burns fast in both of its windows. */
    BURNS_FAST(Verdict.WRONG),
    /** The topics were not read to their ends for so long that the known data is old. */
    NOT_READ(Verdict.UNKNOWN),
    /** There are queries, but no recent window. */
    NO_WINDOW(Verdict.UNKNOWN),
    /** Fewer than half of the answers are measurable. */
    NOT_MEASURABLE(Verdict.UNKNOWN),
    /** The window has no estimate. */
    NO_ESTIMATE(Verdict.UNKNOWN),
    /** The interval contains the objective. */
    STRADDLES_OBJECTIVE(Verdict.UNCERTAIN),
    /** The low end of the interval is at least the objective. */
    KEEPS_OBJECTIVE(Verdict.FINE),
    NO_QUERIES(Verdict.IDLE);

    private final Verdict verdict;

    Cause(Verdict verdict) {
        this.verdict = verdict;
    }

    public Verdict verdict() {
        return verdict;
    }
}
