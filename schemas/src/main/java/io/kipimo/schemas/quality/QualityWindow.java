package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Ascending;
import io.kipimo.schemas.field.Flat;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.OfServiceClass;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answer quality of one class by one metric over one window; topic {@code quality-windows}. Identity: service, class,
 * metric, kind, end. Windows of one variant are in topic {@code variant-windows}.
 *
 * @param offered queries that requested admission; this count and the next three are unsampled
 * @param rejected queries shed at admission
 * @param answered answers sent
 * @param timedOut answers sent without the result of some component
 * @param samples measured queries with a quality
 * @param degradedSamples those of {@code samples} that were degraded
 * @param estimate mean quality, from the unsampled counts and the samples; EXPIRED queries enter low and mean with
 *     their low ends, high with their high ends; empty: not enough samples
 * @param averaged {@link WindowKind#BATCH} only: this estimate over the averaging window that ends here
 * @param plainMean mean of the samples' low ends; the next four figures use the low ends, too
 * @param belowObjective share of the samples below {@code objective}
 * @param failedMature share of the degraded samples whose mature execution did not complete
 * @param maturePer100Queries complete mature executions (clean queries included) per 100 answered
 * @param unmeasurable answers that are not measurable, by reason, unsampled: part of {@code answered}, none of
 *     {@code timedOut}; the estimates leave them out
 * @param unmeasurableSamples sampled queries that are not measurable, none of {@code samples}
 * @param lossPerTimeOut mean quality lost by a degraded query over the averaging window; empty: none seen
 * @param estimator method of {@code estimate}; empty: the record is from a version that knew only the stratified
 *     estimate
 * @param costDeciles deciles of predicted cost in the averaging window that ends here, ascending; empty: front ends
 *     state no costs
 * @param notAsked answers that did not ask some component (unsampled); some of them may also be in {@code timedOut}
 * @param deliberateLoss mean loss of a measurable answer by components that it did not ask, 0..1; the rest of the loss,
 *     1 - {@code estimate} - {@code deliberateLoss}, is late loss
 * @param variant the variant of the class; empty: all answers of the class
 * @param represented sampled queries of the log that {@code samples} represent, more than {@code samples} if the job
 *     sampled a backlog; 0: the record is from a version that measured all
 * @param listed answers whose list of items the front ends read
 * @param empty those of {@code listed} without any item
 */
@WithBuilder
public record QualityWindow(
        @Name String service,
        @Name String queryClass,
        @Name String metric,
        WindowKind kind,
        @Range(least = 1, most = Range.LATEST_MILLIS) long startMillis,

        @Range(leastOf = "startMillis", most = Long.MAX_VALUE)
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
        @Range(most = 1) double plainMean,
        @Range(most = 1) double standardDeviation,
        @Range(most = 1) double p5,
        @Range(most = 1) double p50,
        @Range(most = 1) double minimum,
        @Range(most = 1) double belowObjective,
        @Range(most = 1) double objective,
        @Initializer(source = List.class, value = "of") List<ComponentAttribution> components,
        @Range(most = 1) double failedMature,
        @Range(most = Double.MAX_VALUE) double maturePer100Queries,
        @Range(most = 1) Optional<Double> lossPerTimeOut,
        @Flat MeasurementBill bill,

        @Initializer(source = Map.class, value = "of") @Range(least = Long.MIN_VALUE, most = Long.MAX_VALUE)
        Map<Unmeasurable, Long> unmeasurable,

        int unmeasurableSamples,
        Optional<Estimator> estimator,

        @Initializer(source = List.class, value = "of") @Ascending(strictly = true)
        List<CostDecile> costDeciles,

        long notAsked,
        @Range(most = 1) double deliberateLoss,

        @Initializer(source = Variants.class, value = "NONE") @Name(mayBeEmpty = true)
        String variant,

        long represented,
        long listed,
        @Range(mostOf = "listed") long empty)
        implements OfServiceClass {
    private static final QualityWindow EMPTY = QualityWindowBuilder.builder()
            .service("")
            .queryClass("")
            .metric("")
            .kind(WindowKind.SLIDING)
            .bill(MeasurementBill.NOTHING)
            .build();

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
     * Share of the answers that are measurable, 0..1; 1 if no answer is known. Where front ends do not count answers
     * that are not measurable, the share comes from the samples.
     */
    public double measurableShare() {
        if (answered > 0) {
            return (double) measurable() / answered;
        }
        return unmeasurableSamples == 0 ? 1 : (double) samples / (samples + unmeasurableSamples);
    }

    /** Share of the measurable answers that left without some component, 0..1; 0 without measurable answers. */
    public double timeOutShare() {
        long measurable = measurable();
        return measurable == 0 ? 0 : Math.min(1, (double) timedOut / measurable);
    }

    /** Share of the answers without any item, 0..1; empty: no front end reads the items of its answers. */
    public Optional<Double> zeroResultRate() {
        return listed == 0 ? Optional.empty() : Optional.of((double) empty / listed);
    }

    /** Rate at which the job sampled a backlog, (0, 1]; 1: it measured every query. */
    public double backlogRate() {
        return represented > samples ? (double) samples / represented : 1;
    }

    /** A builder with the defaults. */
    public static QualityWindowBuilder builder() {
        return EMPTY.toBuilder();
    }

    /** A builder with the values of this window. */
    public QualityWindowBuilder toBuilder() {
        return QualityWindowBuilder.builder(this);
    }
}
