package io.kipimo.core.admission;

/**
 * Learned figures of the control signals.
 *
 * @param lossPerTimeOut quality that a query with a time-out loses, 0..1, moving average; 1 until known, as if a
 *     time-out lost the whole answer
 * @param setPointCorrection added to the inner set point of the cascade
 * @param timeOutShare share of the answers with a time-out, moving average over about the averaging window, 0..1
 * @param expiredShare moving average, over about ten averaging windows, of the share of the sampled queries that
 *     EXPIRED or are not measurable, 0..1
 * @param unmeasurableShare share of the answers that are not measurable, moving average over about the averaging
 *     window, 0..1
 * @param started whether the moving averages have a value yet
 */
record SignalState(
        double lossPerTimeOut,
        double setPointCorrection,
        double timeOutShare,
        double expiredShare,
        double unmeasurableShare,
        boolean started) {
    public static final SignalState INITIAL = new SignalState(1, 0, 0, 0, 0, false);
}
