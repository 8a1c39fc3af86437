package io.kipimo.core.guard;

/**
 * What a decision is made on.
 *
 * @param inForce the value in force, 0..1
 * @param measured quality, 0..1, with its interval {@code low}..{@code high}
 * @param objective what {@code measured} should be, 0..1
 * @param samples measurements behind it
 * @param ratePerSecond answers a second
 * @param expired measurements of the step whose mature result never came
 * @param stepSamples measurements of the step
 * @param usualExpiredShare share of such measurements in the past, 0..1
 * @param inputSinceMillis start of the uninterrupted input, epoch milliseconds of event time
 * @param asOfMillis end of the newest window, epoch milliseconds of event time
 * @param stepMillis since the window before
 * @param nowMillis epoch milliseconds
 */
public record Situation(
        double inForce,
        double measured,
        double low,
        double high,
        double objective,
        int samples,
        double ratePerSecond,
        int expired,
        int stepSamples,
        double usualExpiredShare,
        long inputSinceMillis,
        long asOfMillis,
        long stepMillis,
        long nowMillis) {

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
}
