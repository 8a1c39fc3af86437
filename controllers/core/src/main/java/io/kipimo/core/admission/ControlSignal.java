package io.kipimo.core.admission;

/**
 * Figures of the control signal for one window.
 *
 * @param measured value of the signal over the measurable answers, 0..1; {@code high} is the upper end of its interval
 * @param low low end of the interval, with every unmeasurable answer counted as quality 0
 * @param lowOfMeasurable low end of the interval of the measurable answers
 * @param counted least quality that the unsampled counts allow; 0 if measurements contradict it
 * @param setPoint value that the controller steers {@code measured} to, 0..1
 * @param reachable greatest value of {@code measured} that is possible, 0..1; below 1 if components answer nothing
 * @param newest {@code measured} of the newest step alone
 * @param samples number of measurements behind {@code measured}
 */
record ControlSignal(
        double measured,
        double low,
        double lowOfMeasurable,
        double high,
        double counted,
        double setPoint,
        double reachable,
        double newest,
        int samples) {
    Figures figures(long asOfMillis) {
        return new Figures(measured, low, high, setPoint, samples, asOfMillis);
    }
}
