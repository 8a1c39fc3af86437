package io.kipimo.core.arbitration;

/**
 * What an arbiter does with copies.
 *
 * @param hedging whether copies but the first are sent only when the first response takes long;
 *     else all are sent at once, as in the paper
 * @param hedgeQuantile copies are sent after this quantile of recent response times, 0..1
 * @param hedgeCapMicros or after this, if it is less: MIN(percentile, cap)
 * @param cancelLosers whether copies that are out are cancelled once a response came; the paper
 *     lets them run
 */
public record ArbiterSettings(
        boolean hedging, double hedgeQuantile, long hedgeCapMicros, boolean cancelLosers) {
    /** As published: all copies at once, none cancelled. */
    public static final ArbiterSettings PUBLISHED = new ArbiterSettings(false, 0.95, 0, false);

    public ArbiterSettings {
        within("hedgeCapMicros", hedgeCapMicros, 0, Long.MAX_VALUE);
        if (!(hedgeQuantile >= 0 && hedgeQuantile <= 1)) {
            throw new IllegalArgumentException(
                    "hedgeQuantile is " + hedgeQuantile + "; allowed: 0..1");
        }
    }

    static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; allowed: " + least + ".." + most);
        }
    }
}
