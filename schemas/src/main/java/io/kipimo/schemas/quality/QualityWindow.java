package io.kipimo.schemas.quality;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answer quality of one class by one metric over one window; topic {@code quality-windows}.
 * Identity: service, class, metric, kind, end.
 *
 * @param offered queries that requested admission (unsampled, as the next three)
 * @param rejected shed at admission
 * @param answered answers sent
 * @param timedOut answers sent without the result of some component
 * @param samples measured queries with a quality
 * @param degradedSamples those of them that were degraded
 * @param estimate by the unsampled counts and the samples; EXPIRED queries enter low and mean with
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
 * @param estimator how {@code estimate} was made; empty: by a version that knew the stratified
 *     estimate only
 * @param costDeciles of the averaging window that ends here, ascending; empty: front ends state no
 *     costs
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
        int unmeasurableSamples,
        Optional<Estimator> estimator,
        List<CostDecile> costDeciles) {

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
     * Share of the answers that are measurable, 0..1; 1 if no answer is known. Where front ends do
     * not count answers that are not measurable, the share comes from the samples.
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

    public static Builder builder() {
        return new Builder();
    }

    /** A builder with the values of this window. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builder that starts with the defaults. */
    public static final class Builder {
        private String service = "";
        private String queryClass = "";
        private String metric = "";
        private WindowKind kind = WindowKind.SLIDING;
        private long startMillis;
        private long endMillis;
        private long offered;
        private long rejected;
        private long answered;
        private long timedOut;
        private int samples;
        private int degradedSamples;
        private int expired;
        private int orphans;
        private Optional<Estimate> estimate = Optional.empty();
        private Optional<Estimate> averaged = Optional.empty();
        private int averagedSamples;
        private double plainMean;
        private double standardDeviation;
        private double p5;
        private double p50;
        private double minimum;
        private double belowObjective;
        private double objective;
        private List<ComponentAttribution> components = List.of();
        private double failedMature;
        private double maturePer100Queries;
        private Optional<Double> lossPerTimeOut = Optional.empty();
        private MeasurementBill bill = MeasurementBill.NOTHING;
        private Map<Unmeasurable, Long> unmeasurable = Map.of();
        private int unmeasurableSamples;
        private Optional<Estimator> estimator = Optional.empty();
        private List<CostDecile> costDeciles = List.of();

        private Builder() {}

        private Builder(QualityWindow other) {
            service = other.service;
            queryClass = other.queryClass;
            metric = other.metric;
            kind = other.kind;
            startMillis = other.startMillis;
            endMillis = other.endMillis;
            offered = other.offered;
            rejected = other.rejected;
            answered = other.answered;
            timedOut = other.timedOut;
            samples = other.samples;
            degradedSamples = other.degradedSamples;
            expired = other.expired;
            orphans = other.orphans;
            estimate = other.estimate;
            averaged = other.averaged;
            averagedSamples = other.averagedSamples;
            plainMean = other.plainMean;
            standardDeviation = other.standardDeviation;
            p5 = other.p5;
            p50 = other.p50;
            minimum = other.minimum;
            belowObjective = other.belowObjective;
            objective = other.objective;
            components = other.components;
            failedMature = other.failedMature;
            maturePer100Queries = other.maturePer100Queries;
            lossPerTimeOut = other.lossPerTimeOut;
            bill = other.bill;
            unmeasurable = other.unmeasurable;
            unmeasurableSamples = other.unmeasurableSamples;
            estimator = other.estimator;
            costDeciles = other.costDeciles;
        }

        public Builder service(String value) {
            service = value;
            return this;
        }

        public Builder queryClass(String value) {
            queryClass = value;
            return this;
        }

        public Builder metric(String value) {
            metric = value;
            return this;
        }

        public Builder kind(WindowKind value) {
            kind = value;
            return this;
        }

        public Builder startMillis(long value) {
            startMillis = value;
            return this;
        }

        public Builder endMillis(long value) {
            endMillis = value;
            return this;
        }

        public Builder offered(long value) {
            offered = value;
            return this;
        }

        public Builder rejected(long value) {
            rejected = value;
            return this;
        }

        public Builder answered(long value) {
            answered = value;
            return this;
        }

        public Builder timedOut(long value) {
            timedOut = value;
            return this;
        }

        public Builder samples(int value) {
            samples = value;
            return this;
        }

        public Builder degradedSamples(int value) {
            degradedSamples = value;
            return this;
        }

        public Builder expired(int value) {
            expired = value;
            return this;
        }

        public Builder orphans(int value) {
            orphans = value;
            return this;
        }

        public Builder estimate(Optional<Estimate> value) {
            estimate = value;
            return this;
        }

        public Builder averaged(Optional<Estimate> value) {
            averaged = value;
            return this;
        }

        public Builder averagedSamples(int value) {
            averagedSamples = value;
            return this;
        }

        public Builder plainMean(double value) {
            plainMean = value;
            return this;
        }

        public Builder standardDeviation(double value) {
            standardDeviation = value;
            return this;
        }

        public Builder p5(double value) {
            p5 = value;
            return this;
        }

        public Builder p50(double value) {
            p50 = value;
            return this;
        }

        public Builder minimum(double value) {
            minimum = value;
            return this;
        }

        public Builder belowObjective(double value) {
            belowObjective = value;
            return this;
        }

        public Builder objective(double value) {
            objective = value;
            return this;
        }

        public Builder components(List<ComponentAttribution> value) {
            components = value;
            return this;
        }

        public Builder failedMature(double value) {
            failedMature = value;
            return this;
        }

        public Builder maturePer100Queries(double value) {
            maturePer100Queries = value;
            return this;
        }

        public Builder lossPerTimeOut(Optional<Double> value) {
            lossPerTimeOut = value;
            return this;
        }

        public Builder bill(MeasurementBill value) {
            bill = value;
            return this;
        }

        public Builder unmeasurable(Map<Unmeasurable, Long> value) {
            unmeasurable = value;
            return this;
        }

        public Builder unmeasurableSamples(int value) {
            unmeasurableSamples = value;
            return this;
        }

        public Builder estimator(Optional<Estimator> value) {
            estimator = value;
            return this;
        }

        public Builder costDeciles(List<CostDecile> value) {
            costDeciles = value;
            return this;
        }

        public QualityWindow build() {
            return new QualityWindow(
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
                    unmeasurable,
                    unmeasurableSamples,
                    estimator,
                    costDeciles);
        }
    }
}
