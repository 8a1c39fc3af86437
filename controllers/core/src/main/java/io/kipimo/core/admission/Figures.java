package io.kipimo.core.admission;

/**
 * Evidence of decisions: the controller's newest figures.
 *
 * @param measured 0..1, with its interval {@code low}..{@code high}
 * @param samples number of measurements behind {@code measured}
 * @param asOfMillis end of the window, epoch milliseconds; 0: no window yet
 */
public record Figures(double measured, double low, double high, double objective, int samples, long asOfMillis) {
    /** The figures before the first window. Their interval is 0..1. */
    public static final Figures NONE = new Figures(0, 0, 1, 0, 0, 0);

    /** Returns these figures as those that are still the newest at {@code newAsOfMillis}. */
    Figures upTo(long newAsOfMillis) {
        return new Figures(measured, low, high, objective, samples, newAsOfMillis);
    }
}
