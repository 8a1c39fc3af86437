package io.kipimo.schemas.quality;

import java.util.List;
import java.util.Map;
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
 * @param unmeasurable answers whose quality nobody can tell, by reason, unsampled: part of {@code
 *     answered}, none of {@code timedOut}; the estimates are of the other answers
 * @param unmeasurableSamples sampled queries that are not measurable, none of {@code samples}
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
        List<ComponentAttribution> components,
        double failedMature,
        double maturePer100Queries,
        Optional<Double> lossPerTimeOut,
        MeasurementBill bill,
        Map<Unmeasurable, Long> unmeasurable,
        int unmeasurableSamples) {

    /** A window in which every answer was measurable. */
    public QualityWindow(
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
            List<ComponentAttribution> components,
            double failedMature,
            double maturePer100Queries,
            Optional<Double> lossPerTimeOut,
            MeasurementBill bill) {
        this(
                service,
                queryClass,
                metric,
                kind,
                startMillis,
                endMillis,
                offered,
                rejected,
                answered,
                timedOut,
                samples,
                degradedSamples,
                expired,
                orphans,
                estimate,
                averaged,
                averagedSamples,
                plainMean,
                standardDeviation,
                p5,
                p50,
                minimum,
                belowObjective,
                objective,
                components,
                failedMature,
                maturePer100Queries,
                lossPerTimeOut,
                bill,
                Map.of(),
                0);
    }

    /** Answers whose quality is known to be 1 or can be measured. */
    public long measurable() {
        return answered
                - Unmeasurable.estimate(
                        Unmeasurable.sum(unmeasurable),
                        answered,
                        timedOut,
                        Math.max(0, samples - degradedSamples),
                        unmeasurableSamples);
    }

    /**
     * Share of the answers whose quality is known to be 1 or can be measured, 0..1; 1 where nothing
     * is known of any answer. Where the front ends count none that cannot, the samples tell.
     */
    public double measurableShare() {
        if (answered > 0) {
            return (double) measurable() / answered;
        }
        return unmeasurableSamples == 0 ? 1 : (double) samples / (samples + unmeasurableSamples);
    }

    /** Share of the measurable answers that left without some component, 0..1; 0 without any. */
    public double timeOutShare() {
        long measurable = measurable();
        return measurable == 0 ? 0 : Math.min(1, (double) timedOut / measurable);
    }
}
