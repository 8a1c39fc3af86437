package io.kipimo.core.admission;

/**
 * What a signal says of one window.
 *
 * @param measured 0..1, with its interval {@code low}..{@code high}
 * @param setPoint what {@code measured} is steered to, 0..1
 * @param newest the same of the newest step alone
 * @param samples measurements behind it
 */
record Reading(
        double measured, double low, double high, double setPoint, double newest, int samples) {
    Figures figures(long asOfMillis) {
        return new Figures(measured, low, high, setPoint, samples, asOfMillis);
    }
}
