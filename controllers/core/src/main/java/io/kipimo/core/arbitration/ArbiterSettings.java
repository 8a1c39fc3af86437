package io.kipimo.core.arbitration;

/**
 * How an arbiter sends and cancels copies.
 *
 * @param hedging whether all copies but the first wait for the hedge delay; if not, all are sent at
 *     once, as in the paper
 * @param hedgeQuantile the hedge delay is this quantile of recent response times, 0..1
 * @param hedgeCapMicros upper bound of the hedge delay
 * @param hedgeShare most copies after the hedge delay, as a share of the requests, 0 or more; ten
 *     are saved up, or those of one request. If every response is late, copies would double the
 *     work
 * @param cancelLosers whether running copies are cancelled after the first response; the paper lets
 *     them run
 */
public record ArbiterSettings(
        boolean hedging,
        double hedgeQuantile,
        long hedgeCapMicros,
        double hedgeShare,
        boolean cancelLosers) {
    /** As many copies as the 95th percentile asks for. */
    public static final double DEFAULT_HEDGE_SHARE = 0.05;

    /** As gRPC's retry throttle. */
    private static final int LEAST_SAVED = 10;

    /** As published: all copies at once, none cancelled. */
    public static final ArbiterSettings PUBLISHED =
            new ArbiterSettings(false, 0.95, 0, DEFAULT_HEDGE_SHARE, false);

    public ArbiterSettings {
        within("hedgeCapMicros", hedgeCapMicros, 0, Long.MAX_VALUE);
        if (!(hedgeQuantile >= 0 && hedgeQuantile <= 1)) {
            throw new IllegalArgumentException(
                    "hedgeQuantile is " + hedgeQuantile + "; allowed: 0..1");
        }
        if (!(hedgeShare >= 0)) {
            throw new IllegalArgumentException(
                    "hedgeShare is " + hedgeShare + "; allowed: 0 or more");
        }
    }

    double mostSaved() {
        return Math.max(hedgeShare, LEAST_SAVED);
    }

    static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; allowed: " + least + ".." + most);
        }
    }
}
