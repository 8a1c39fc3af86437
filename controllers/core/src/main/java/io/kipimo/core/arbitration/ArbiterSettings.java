package io.kipimo.core.arbitration;

/**
 * How an arbiter sends and cancels copies.
 *
 * @param hedging whether all copies but the first wait for the hedge delay; if not, all are sent at once, as in the
 *     paper
 * @param hedgeQuantile the hedge delay is this quantile of the recent response times of the quickest other server, 0..1
 * @param hedgeCapMicros upper bound of the hedge delay
 * @param hedgeShare most copies after the hedge delay, as a share of the requests, 0 or more
 * @param cancelLosers whether running copies are cancelled after the first response; the paper lets them run
 */
public record ArbiterSettings(
        boolean hedging, double hedgeQuantile, long hedgeCapMicros, double hedgeShare, boolean cancelLosers) {
    /** As published: all copies at once, none cancelled. */
    public static final ArbiterSettings PUBLISHED =
            new ArbiterSettings(false, 0.95, 0, CopyBudget.DEFAULT_SHARE, false);

    public ArbiterSettings {
        within("hedgeCapMicros", hedgeCapMicros, 0, Long.MAX_VALUE);
        if (!(hedgeQuantile >= 0 && hedgeQuantile <= 1)) {
            throw new IllegalArgumentException("hedgeQuantile is " + hedgeQuantile + "; allowed: 0..1");
        }
    }

    static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: " + least + ".." + most);
        }
    }
}
