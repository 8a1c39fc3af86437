package io.kipimo.core.invalidation.filter;

/**
 * Budget for matching one document, in steps of some nanoseconds. A step is one test of a condition on an element, or
 * one instruction of a regular expression at a character. Filters and documents are untrusted input, and matching a
 * short filter against a short document could take hours. A test that exceeds the budget is undecided, and the query
 * must be evaluated again. Mutable, for one thread.
 */
public final class Effort {
    /**
     * Limit of steps for one filter. It suffices for the largest regular expression on 64 Ki characters, about half a
     * second.
     */
    public static final long MOST_A_FILTER = 1L << 26;

    /** Limit of steps for all filters on one document. */
    public static final long MOST_A_DOCUMENT = 1L << 28;

    private final long most;
    private long spent;
    private long limit;

    /** @param most steps until the next {@link #begin}, above 0 */
    public Effort(long most) {
        this.most = most;
        begin();
    }

    static Effort ofOneFilter() {
        return new Effort(MOST_A_FILTER);
    }

    /** Restores the whole budget. */
    public void begin() {
        spent = 0;
        limit = most;
    }

    /** Begins the work of one filter, which gets at most {@link #MOST_A_FILTER} steps of the remaining budget. */
    public void beginFilter() {
        limit = Math.min(most, spent + MOST_A_FILTER);
    }

    /** Ends the work of one filter. */
    public void endFilter() {
        limit = most;
    }

    /**
     * @param steps at least 0
     * @throws UndecidedException if fewer steps are left; then the budget stays as it is
     */
    public void spend(long steps) {
        if (steps > limit - spent) {
            throw new UndecidedException();
        }
        spent += steps;
    }
}
