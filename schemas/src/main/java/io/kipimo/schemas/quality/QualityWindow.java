package io.kipimo.schemas.quality;

import java.util.List;
import java.util.Optional;

/**
 * Answer quality of one class by one metric over one window; topic {@code quality-windows}.
 * Identity: service, class, metric, kind, end.
 *
 * @param offered queries that asked to be admitted (unsampled, as the next three)
 * @param rejected shed at admission
 * @param answered answers that left
 * @param timedOut answers that left without some component
 * @param samples measured queries with a quality
 * @param degradedSamples those of them that were degraded
 * @param estimate stratified over the unsampled counts; EXPIRED queries enter low and mean with
 *     their low ends, high with their high ends; empty: NOT-ENOUGH
 * @param averaged {@link WindowKind#BATCH} only: the same over the averaging window that ends here
 * @param plainMean mean of the samples' low ends, as are the next four
 * @param belowObjective share of the samples below {@code objective}
 * @param failedMature share of the degraded samples whose mature execution did not complete
 * @param maturePer100Queries complete mature executions (clean queries included) per 100 answered
 * @param lossPerTimeOut mean quality lost by a degraded query over the averaging window; empty:
 *     none seen
 */
public record QualityWindow(
        String service,
        String queryClass,
        String metric,
        WindowKind kind,
        long startMillis,
        long endMillis,
        long offered,
        long rejected,
        long answered,
        long timedOut,
        int samples,
        int degradedSamples,
        int expired,
        int orphans,
        Optional<Estimate> estimate,
        Optional<Estimate> averaged,
        int averagedSamples,
        double plainMean,
        double standardDeviation,
        double p5,
        double p50,
        double minimum,
        double belowObjective,
        double objective,
        List<ComponentBlame> components,
        double failedMature,
        double maturePer100Queries,
        Optional<Double> lossPerTimeOut,
        MeasurementBill bill) {

    /** Share of the answers that left without some component, 0..1; 0 without answers. */
    public double timeOutShare() {
        return answered == 0 ? 0 : Math.min(1, (double) timedOut / answered);
    }
}
