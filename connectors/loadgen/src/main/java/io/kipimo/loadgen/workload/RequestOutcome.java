package io.kipimo.loadgen.workload;

/**
 * Outcome of one request.
 *
 * @param failed it got no answer, or an error
 * @param read it was a validated read
 * @param unpredictable the read was stale, inconsistent or wrong
 * @param quality of the answer, 0..1; NaN if not measured
 */
public record RequestOutcome(boolean failed, boolean read, boolean unpredictable, double quality) {
    /** The request was answered. The answer was neither validated nor measured. */
    public static final RequestOutcome ANSWERED = new RequestOutcome(false, false, false, Double.NaN);

    /** The request got no answer, or an error. */
    public static final RequestOutcome FAILED = new RequestOutcome(true, false, false, Double.NaN);

    /** A read whose answer was valid. */
    public static final RequestOutcome VALID_READ = new RequestOutcome(false, true, false, Double.NaN);

    /** A read that was stale, inconsistent or wrong. */
    public static final RequestOutcome UNPREDICTABLE_READ = new RequestOutcome(false, true, true, Double.NaN);

    public RequestOutcome {
        if (unpredictable && !read) {
            throw new IllegalArgumentException("unpredictable is true; allowed: of a read only");
        }
        if (!Double.isNaN(quality) && !(quality >= 0 && quality <= 1)) {
            throw new IllegalArgumentException("quality is " + quality + "; allowed: 0..1 or NaN");
        }
    }
}
