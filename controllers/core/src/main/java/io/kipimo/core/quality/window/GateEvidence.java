package io.kipimo.core.quality.window;

import io.kipimo.core.quality.estimate.StratifiedEstimator;
import io.kipimo.core.quality.estimate.StratumCounts;
import io.kipimo.core.quality.estimate.StratumSums;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.Variants;
import io.kipimo.schemas.quality.WindowKind;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.Optional;

/**
 * Evidence on one class by one metric over a time range: from measurements and observations, or from control batches,
 * which do not overlap. Use one source or the other, not both. Immutable.
 *
 * @param service name of the service
 * @param variant the variant of the class that is judged; empty: all answers of the class
 * @param fromMillis start of the range, epoch milliseconds
 * @param untilMillis end of the range, exclusive
 * @param counts counts of the answers in the range, measurable or not, and of the measurable samples
 * @param unmeasurable unmeasurable answers among these, as the front ends counted
 * @param unmeasurableSamples sampled queries that are not measurable
 * @param differingSamples unmeasurable samples that are degraded and whose answer is not the policy's merge
 * @param expired number of EXPIRED samples
 * @param furtherClean queries that the clean samples represent in addition to themselves, if the job sampled a backlog
 * @param sampledDeliberateLoss sum of what the samples lost because components were not asked
 */
@WithBuilder
public record GateEvidence(
        String service,
        String queryClass,
        String metric,

        @Initializer(source = Variants.class, value = "NONE")
        String variant,

        long fromMillis,
        long untilMillis,
        StratumCounts counts,
        long unmeasurable,
        int unmeasurableSamples,
        int differingSamples,
        int expired,
        long furtherClean,
        double sampledDeliberateLoss) {

    /** A class, metric and range without evidence yet. */
    public static GateEvidence of(String service, String queryClass, String metric, long fromMillis, long untilMillis) {
        return GateEvidenceBuilder.builder()
                .service(service)
                .queryClass(queryClass)
                .metric(metric)
                .fromMillis(fromMillis)
                .untilMillis(untilMillis)
                .counts(StratumCounts.NONE)
                .build();
    }

    /** This class, metric and range for one variant, without evidence yet. */
    public GateEvidence ofVariant(String name) {
        return GateEvidenceBuilder.builder(of(service, queryClass, metric, fromMillis, untilMillis))
                .variant(name)
                .build();
    }

    /** Adds one measurement if it belongs to this class, metric and range; orphans belong to no class. */
    public GateEvidence with(Measurement measurement) {
        boolean isMine = measurement.completeness() != Completeness.ORPHAN
                && isMine(measurement.service(), measurement.queryClass())
                && isOfVariant(measurement.variant())
                && isWithin(measurement.measuredAtMillis(), measurement.measuredAtMillis());
        if (!isMine) {
            return this;
        }
        if (measurement.completeness() == Completeness.NOT_MEASURABLE) {
            boolean differs = measurement.unmeasurable().equals(Optional.of(Unmeasurable.MERGE_DIFFERS));
            return with(counts, 0, 1, differs ? 1 : 0, 0, 0);
        }
        Optional<Score> score = measurement.scores().stream()
                .filter(s -> s.metric().equals(metric))
                .findFirst()
                .map(measurement::ofLateness);
        if (score.isEmpty()) {
            return this;
        }
        GateEvidence more = with(
                measurement.degraded()
                        ? counts.plusDegraded(score.get().low(), score.get().high(), measurement.represents())
                        : counts.plusClean(),
                0,
                0,
                0,
                measurement.completeness() == Completeness.EXPIRED ? 1 : 0,
                measurement.deliberateLoss());
        return measurement.degraded()
                ? more
                : GateEvidenceBuilder.builder(more)
                        .furtherClean(furtherClean + measurement.represents() - 1)
                        .build();
    }

    /** Adds the counts of one second if they belong to this class and range. */
    public GateEvidence with(Observation observation) {
        boolean isMine = isMine(observation.service(), observation.queryClass())
                && isOfVariant(observation.variant())
                && isWithin(observation.secondMillis(), observation.secondMillis());
        return isMine
                ? with(
                        counts.plusCounted(observation.answered(), observation.timedOut())
                                .withDeliberateLoss(counts.deliberateLoss() + observation.notAskedLossSum()),
                        Unmeasurable.sum(observation.unmeasurable()),
                        0,
                        0,
                        0,
                        0)
                : this;
    }

    /**
     * Adds one control batch if it belongs to this class and metric and lies within the range. Sliding windows overlap,
     * so they are ignored. A batch does not contain the high ends of its EXPIRED queries, so those ends count as 1.
     */
    public GateEvidence with(QualityWindow window) {
        boolean isMine = window.kind() == WindowKind.BATCH
                && window.metric().equals(metric)
                && window.variant().equals(variant)
                && isMine(window.service(), window.queryClass())
                && isWithin(window.startMillis(), window.endMillis() - 1);
        if (!isMine) {
            return this;
        }
        int clean = window.samples() - window.degradedSamples();
        int degraded = window.degradedSamples();
        double n = window.samples();
        // As if every component had been asked.
        double mean = Math.min(1, window.plainMean() + window.deliberateLoss());
        // Clean answers have quality 1, so the rest of the sums belongs to the degraded ones.
        double sum = within(n * mean - clean, degraded);
        double variance = window.standardDeviation() * window.standardDeviation();
        double squares = within((n - 1) * variance + n * mean * mean - clean, sum);
        StratumSums low = degraded == 0 ? StratumSums.NONE : new StratumSums(degraded, sum, squares);
        double unknown = Math.min(window.expired(), degraded - sum);
        StratumSums high = window.expired() == 0 || degraded == 0
                ? low
                : new StratumSums(degraded, sum + unknown, Math.min(sum + unknown, squares + unknown));
        return with(
                counts.plus(new StratumCounts(
                        window.answered(),
                        window.timedOut(),
                        clean,
                        low,
                        high,
                        window.measurable() * window.deliberateLoss())),
                Unmeasurable.sum(window.unmeasurable()) - differingAnswers(window),
                window.unmeasurableSamples(),
                differingSamples(window),
                window.expired(),
                n * window.deliberateLoss());
    }

    /** Number of degraded answers that are not the policy's merge, which the window extrapolates from its samples. */
    private static long differingAnswers(QualityWindow window) {
        return window.unmeasurable().getOrDefault(Unmeasurable.MERGE_DIFFERS, 0L);
    }

    private static int differingSamples(QualityWindow window) {
        long differing = differingAnswers(window);
        long others = Math.max(0, window.timedOut() - differing);
        return differing == 0 || others == 0 || window.degradedSamples() == 0
                ? (int) Math.min(differing, window.unmeasurableSamples())
                : (int) Math.min(
                        window.unmeasurableSamples(),
                        Math.round((double) window.degradedSamples() * differing / others));
    }

    private static double within(double value, double most) {
        return Math.max(0, Math.min(most, value));
    }

    private boolean isMine(String otherService, String otherClass) {
        return service.equals(otherService) && queryClass.equals(otherClass);
    }

    private boolean isOfVariant(String other) {
        return variant.isEmpty() || variant.equals(other);
    }

    private boolean isWithin(long firstMillis, long lastMillis) {
        return firstMillis >= fromMillis && lastMillis < untilMillis;
    }

    private GateEvidence with(
            StratumCounts more,
            long moreUnmeasurable,
            int moreUnmeasurableSamples,
            int moreDifferingSamples,
            int moreExpired,
            double moreDeliberateLoss) {
        return GateEvidenceBuilder.builder(this)
                .counts(more)
                .unmeasurable(unmeasurable + moreUnmeasurable)
                .unmeasurableSamples(unmeasurableSamples + moreUnmeasurableSamples)
                .differingSamples(differingSamples + moreDifferingSamples)
                .expired(expired + moreExpired)
                .sampledDeliberateLoss(sampledDeliberateLoss + moreDeliberateLoss)
                .build();
    }

    private StratumCounts measurable() {
        StratumCounts measurable = StratumCounts.ofMeasurable(
                counts.answered(),
                counts.timedOut(),
                unmeasurable,
                unmeasurableSamples,
                differingSamples,
                counts.cleanSamples(),
                counts.degradedLow(),
                counts.degradedHigh());
        // Front ends that do not count what they did not ask still show it in their samples.
        return measurable.withDeliberateLoss(
                counts.deliberateLoss() > 0 || counts.samples() == 0
                        ? counts.deliberateLoss()
                        : measurable.answered() * sampledDeliberateLoss / counts.samples());
    }

    /** Measurable share of the answers, 0..1. If front ends counted no answers, it is the share of the samples. */
    public double measurableShare() {
        if (counts.answered() > 0) {
            return (double) measurable().answered() / counts.answered();
        }
        return unmeasurableSamples == 0 ? 1 : (double) counts.samples() / (counts.samples() + unmeasurableSamples);
    }

    /**
     * Mean quality of the measurable answers with its 95 % interval: stratified if front ends counted their answers,
     * otherwise the plain mean of the samples of a large population; empty: NOT-ENOUGH.
     */
    public Optional<Estimate> estimate() {
        if (counts.answered() > 0) {
            return StratifiedEstimator.estimate(measurable());
        }
        if (counts.samples() == 0) {
            return Optional.empty();
        }
        Estimate low = StratifiedEstimator.stratumMean(all(counts.degradedLow()), Integer.MAX_VALUE);
        Estimate high = StratifiedEstimator.stratumMean(all(counts.degradedHigh()), Integer.MAX_VALUE);
        double lost = deliberateLoss();
        return Optional.of(new Estimate(
                Math.max(0, low.low() - lost),
                Math.max(0, low.mean() - lost),
                Math.max(0, Math.max(low.high(), high.high()) - lost)));
    }

    /** Mean loss of an answer because components were not asked, 0..1; part of the estimate. */
    public double deliberateLoss() {
        if (counts.answered() > 0) {
            return measurable().meanDeliberateLoss();
        }
        return counts.samples() == 0 ? 0 : Math.min(1, sampledDeliberateLoss / counts.samples());
    }

    private StratumSums all(StratumSums degraded) {
        int clean = counts.cleanSamples();
        long weight = clean + furtherClean;
        return clean == 0
                ? degraded
                : degraded.plus(new StratumSums(
                        clean,
                        (double) weight,
                        (double) weight,
                        weight,
                        Math.floorDiv(weight * weight + clean - 1, clean)));
    }
}
