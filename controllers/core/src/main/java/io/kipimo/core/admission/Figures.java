package io.kipimo.core.admission;

/**
 * What the controller saw last; decisions carry it.
 *
 * @param measured 0..1, with its interval {@code low}..{@code high}
 * @param samples measurements behind it
 * @param asOfMillis end of the window, epoch milliseconds; 0: none seen
 */
public record Figures(
        double measured, double low, double high, double objective, int samples, long asOfMillis) {
    /** Nothing seen: anything is possible. */
    public static final Figures NONE = new Figures(0, 0, 1, 0, 0, 0);

    /** The same figures, seen to still be the newest at {@code newAsOfMillis}. */
    Figures upTo(long newAsOfMillis) {
        return new Figures(measured, low, high, objective, samples, newAsOfMillis);
    }
}
