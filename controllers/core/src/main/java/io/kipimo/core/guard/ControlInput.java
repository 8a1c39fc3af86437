package io.kipimo.core.guard;

/**
 * What a decision is made on.
 *
 * @param inForce the value in force, 0..1
 * @param measured quality of the measurable answers, 0..1; {@code high} is the end of its interval
 * @param low end of the interval, every answer that is not measurable counted as one of quality 0
 * @param lowOfMeasurable the same without those
 * @param objective what {@code measured} should be, 0..1
 * @param newest quality of the newest step alone, 0..1
 * @param measurableShare of the newest step's answers, 0..1
 * @param samples measurements behind it
 * @param ratePerSecond answers a second
 * @param expired sampled queries of the step whose mature result never came, or that are not
 *     measurable
 * @param stepSamples sampled queries of the step
 * @param usualExpiredShare share of such queries in the past, 0..1
 * @param inputSinceMillis start of the uninterrupted input, epoch milliseconds of event time
 * @param asOfMillis end of the newest window, epoch milliseconds of event time
 * @param stepStartMillis start of that window
 * @param stepMillis since the window before
 * @param nowMillis epoch milliseconds
 */
public record ControlInput(
        double inForce,
        double measured,
        double low,
        double lowOfMeasurable,
        double high,
        double objective,
        double newest,
        double measurableShare,
        int samples,
        double ratePerSecond,
        int expired,
        int stepSamples,
        double usualExpiredShare,
        long inputSinceMillis,
        long asOfMillis,
        long stepStartMillis,
        long stepMillis,
        LastMove lastMove,
        long nowMillis) {

    /** One without a measurement. */
    public static ControlInput of(double inForce, long nowMillis) {
        return new ControlInput(
                inForce, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, LastMove.NEVER, nowMillis);
    }

    /**
     * Signed distance of the objective from the part of the interval that counts: below 0, the mean
     * falls short by that much; above 0, even the low end is better by that much; 0, in between.
     */
    public double error() {
        if (measured < objective) {
            return measured - objective;
        }
        return Math.max(0, low - objective);
    }

    /** Why the low end does not reach the objective where the mean does. */
    public Reason whyLowEndFalls() {
        return lowOfMeasurable >= objective && low < objective
                ? Reason.HELD_PARTLY_MEASURABLE
                : Reason.HELD_INTERVAL_TOO_WIDE;
    }

    /**
     * The controller's state after its wish was denied. While the error is 0 nothing but the
     * proportional part wishes, and it may go on wishing; else the integral part must get its turn
     * at the next step, which an undying wish of the other sign would block for ever.
     */
    <S> S heldState(S before, S after) {
        return error() == 0 ? before : after;
    }
}
