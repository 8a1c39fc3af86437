package io.kipimo.examples.demo;

import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.MeasurementBill;
import java.util.List;

/**
 * What came out of one run.
 *
 * @param quality of the high class over the run, stratified, with its 95 % interval
 * @param windowsAtObjective share of the sliding windows whose mean is at or above the objective
 * @param windows how many sliding windows there were
 * @param lowAdmittedShare of the low-class queries offered, 0..1
 * @param timeOutShare of the high class
 * @param expiredShare of the degraded samples of the high class
 * @param maturePer100Queries complete mature executions per 100 answers of the high class
 * @param decisions effective decisions on the low class that the controller issued
 * @param sendLagP99Millis how late the load generator itself was
 */
record RunResult(
        WayOfControl way,
        Estimate quality,
        double windowsAtObjective,
        int windows,
        double lowOfferedPerSecond,
        double lowAdmittedShare,
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
        List<Second> seconds) {

    /** Latency from the intended start, milliseconds. */
    record Latency(double p50Millis, double p99Millis, long answered, long failed) {}

    /**
     * One second of a run.
     *
     * @param second from the start of the run
     * @param quality mean of the sliding window that ends there; NaN: none
     */
    record Second(
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
