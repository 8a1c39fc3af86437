package io.kipimo.core.invalidation.filter;

/**
 * What matching one document may cost, in steps of some nanoseconds: an element that a condition is
 * asked of, or an instruction of a regular expression at a character. Filters and documents are
 * others' input, and a short filter can ask a short document for hours; what would take more than
 * there is stays undecided, and whoever cached the result evaluates it again. Mutable, for one
 * thread.
 */
public final class Effort {
    /** Steps: the largest regular expression on 64 Ki characters, about half a second. */
    public static final long MOST_A_FILTER = 1L << 26;

    /** Steps of all filters on one document. */
    public static final long MOST_A_DOCUMENT = 1L << 28;

    private final long most;
    private long spent;
    private long limit;

    /**
     * @param most steps until the next {@link #begin}, above 0
     */
    public Effort(long most) {
        this.most = most;
        begin();
    }

    static Effort ofOneFilter() {
        return new Effort(MOST_A_FILTER);
    }

    /** All is there again. */
    public void begin() {
        spent = 0;
        limit = most;
    }

    /** What follows is one filter's: it gets a part of what is left. */
    public void beginFilter() {
        limit = Math.min(most, spent + MOST_A_FILTER);
    }

    /** What follows is no single filter's. */
    public void endFilter() {
        limit = most;
    }

    /**
     * @param steps at least 0
     * @throws UndecidedException if there are not so many left; then none is taken
     */
    public void spend(long steps) {
        if (steps > limit - spent) {
            throw new UndecidedException();
        }
        spent += steps;
    }
}
