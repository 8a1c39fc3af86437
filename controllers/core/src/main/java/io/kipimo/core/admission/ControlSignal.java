package io.kipimo.core.admission;

/**
 * What a signal says of one window.
 *
 * @param measured 0..1, of the measurable answers; {@code high} is the end of its interval
 * @param low end of the interval, every answer that is not measurable counted as one of quality 0
 * @param lowOfMeasurable the same without those
 * @param setPoint what {@code measured} is steered to, 0..1
 * @param newest the same of the newest step alone
 * @param samples measurements behind it
 */
record ControlSignal(
        double measured,
        double low,
        double lowOfMeasurable,
        double high,
        double setPoint,
        double newest,
        int samples) {
    Figures figures(long asOfMillis) {
        return new Figures(measured, low, high, setPoint, samples, asOfMillis);
    }
}
