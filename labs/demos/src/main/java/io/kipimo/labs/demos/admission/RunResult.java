package io.kipimo.labs.demos.admission;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.MeasurementBill;
import java.util.List;

/**
 * Results of one run.
 *
 * @param quality of the high class over the run, stratified, with its 95 % interval
 * @param windowsAtObjective share of the sliding windows whose mean is at or above the objective
 * @param windows number of sliding windows
 * @param lowAdmittedShare admitted share of the low-class queries offered, 0..1
 * @param lowGoodPerSecond low-class answers a second of a quality of 0.9 or above, estimated from samples
 * @param timeOutShare share of the high class's answers with a time-out
 * @param expiredShare share of the high class's degraded samples that expired
 * @param maturePer100Queries complete mature executions per 100 answers of the high class
 * @param decisions effective decisions of the controller on the low class
 * @param sendLagP99Millis 99th percentile of the load generator's own delay
 */
@WithBuilder
record RunResult(
        WayOfControl way,
        Estimate quality,
        double windowsAtObjective,
        int windows,
        double lowOfferedPerSecond,
        double lowAdmittedShare,
        double lowGoodPerSecond,
        double timeOutShare,
        double expiredShare,
        Latency high,
        Latency low,
        double maturePer100Queries,
        MeasurementBill bill,
        double billShareOfWork,
        int samples,
        int decisions,
        double sendLagP99Millis,
        List<RunSecond> seconds) {

    /** Latency from the intended start, milliseconds. */
    record Latency(double p50Millis, double p99Millis, long answered, long failed) {}

    /**
     * One second of a run.
     *
     * @param second number of the second, from the start of the run
     * @param quality mean of the sliding window that ends in this second; NaN: none
     */
    record RunSecond(
            int second,
            double quality,
            double low,
            double high,
            double lowOffered,
            double lowAdmitted,
            double fraction) {}

    double lowAdmittedPerSecond() {
        return lowOfferedPerSecond * lowAdmittedShare;
    }
}
