package io.kipimo.loadgen.workload;

/**
 * Outcome of one request.
 *
 * @param failed it got no answer, or an error
 * @param rejected the target itself answered with an error; only of a failed request
 * @param read it was a validated read
 * @param unpredictable the read was stale, inconsistent or wrong
 * @param quality of the answer, 0..1; NaN if not measured
 */
public record RequestOutcome(
        boolean failed, boolean rejected, boolean read, boolean unpredictable, double quality) {
    /** Answered; neither validated nor measured. */
    public static final RequestOutcome ANSWERED =
            new RequestOutcome(false, false, false, Double.NaN);

    /** No answer, such as a time-out or a failed connection. */
    public static final RequestOutcome FAILED = new RequestOutcome(true, false, false, Double.NaN);

    /** The target's answer is an error. */
    public static final RequestOutcome REJECTED =
            new RequestOutcome(true, true, false, false, Double.NaN);

    /** A read whose answer was valid. */
    public static final RequestOutcome VALID_READ =
            new RequestOutcome(false, true, false, Double.NaN);

    /** A read that was stale, inconsistent or wrong. */
    public static final RequestOutcome UNPREDICTABLE_READ =
            new RequestOutcome(false, true, true, Double.NaN);

    public RequestOutcome {
        if (rejected && !failed) {
            throw new IllegalArgumentException("rejected is true; allowed: of a failed request");
        }
        if (unpredictable && !read) {
            throw new IllegalArgumentException("unpredictable is true; allowed: of a read only");
        }
        if (!Double.isNaN(quality) && !(quality >= 0 && quality <= 1)) {
            throw new IllegalArgumentException("quality is " + quality + "; allowed: 0..1 or NaN");
        }
    }

    /** A request that was not rejected. */
    public RequestOutcome(boolean failed, boolean read, boolean unpredictable, double quality) {
        this(failed, false, read, unpredictable, quality);
    }
}
