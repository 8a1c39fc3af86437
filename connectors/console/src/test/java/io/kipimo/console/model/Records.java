package io.kipimo.console.model;

import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.budget.LossCause;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.WindowKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records of service {@code search}, classes {@code high} and {@code low}. */
final class Records {
    static final String SERVICE = "search";
    static final long WINDOW_MILLIS = 60_000;

    private Records() {}

    static Policy policy() {
        return new Policy(
                SERVICE,
                3,
                List.of("tpr@10", "ndcg@10"),
                MergePolicy.TOP_K,
                10,
                10_000,
                WINDOW_MILLIS,
                10_000,
                List.of(
                        new ClassPolicy("low", 1, 0.8, 0.5, 0.05, 1, Optional.empty()),
                        new ClassPolicy("high", 0, 0.9, 1, 1, 1, Optional.empty())),
                AdmissionPolicy.DEFAULT,
                SamplingPolicy.DEFAULT,
                false);
    }

    /** Of class {@code high}; 100 samples, 20 of them degraded. */
    static QualityWindow window(long endMillis, double mean) {
        return window(SERVICE, "high", endMillis, mean);
    }

    static QualityWindow window(String service, String queryClass, long endMillis, double mean) {
        return window(service, queryClass, "tpr@10", endMillis, Optional.of(estimate(mean)), 0);
    }

    static QualityWindow window(
            String queryClass,
            String metric,
            long endMillis,
            Optional<Estimate> estimate,
            int expired) {
        return window(SERVICE, queryClass, metric, endMillis, estimate, expired);
    }

    private static QualityWindow window(
            String service,
            String queryClass,
            String metric,
            long endMillis,
            Optional<Estimate> estimate,
            int expired) {
        return new QualityWindow(
                service,
                queryClass,
                metric,
                WindowKind.SLIDING,
                endMillis - WINDOW_MILLIS,
                endMillis,
                6_000,
                600,
                5_400,
                1_080,
                100,
                20,
                expired,
                0,
                estimate,
                Optional.empty(),
                0,
                0.9,
                0.1,
                0.5,
                1,
                0.2,
                0.2,
                0.9,
                List.of(
                        new ComponentAttribution("shard-1", 5_400, 108, 1),
                        new ComponentAttribution("shard-2", 5_400, 972, 9)),
                0,
                2,
                Optional.empty(),
                MeasurementBill.NOTHING);
    }

    /** Of class {@code high}, with so many of the 5,400 answers that nobody can measure. */
    static QualityWindow unmeasurable(long endMillis, long answers) {
        return with(window(endMillis, 0.98), Map.of(Unmeasurable.NO_COMPONENTS, answers));
    }

    /** As {@code w}, with answers that nobody can measure among its. */
    static QualityWindow with(QualityWindow w, Map<Unmeasurable, Long> unmeasurable) {
        return new QualityWindow(
                w.service(),
                w.queryClass(),
                w.metric(),
                w.kind(),
                w.startMillis(),
                w.endMillis(),
                w.offered(),
                w.rejected(),
                w.answered(),
                w.timedOut(),
                w.samples(),
                w.degradedSamples(),
                w.expired(),
                w.orphans(),
                w.estimate(),
                w.averaged(),
                w.averagedSamples(),
                w.plainMean(),
                w.standardDeviation(),
                w.p5(),
                w.p50(),
                w.minimum(),
                w.belowObjective(),
                w.objective(),
                w.components(),
                w.failedMature(),
                w.maturePer100Queries(),
                w.lossPerTimeOut(),
                w.bill(),
                unmeasurable,
                0);
    }

    static Estimate estimate(double mean) {
        return new Estimate(mean - 0.01, mean, Math.min(1, mean + 0.01));
    }

    static Observation queries(String queryClass, long secondMillis) {
        return queries(SERVICE, queryClass, secondMillis);
    }

    static Observation queries(String service, String queryClass, long secondMillis) {
        return new Observation(
                service,
                "front",
                "front-1",
                queryClass,
                secondMillis,
                100,
                10,
                90,
                18,
                List.of(),
                MeasurementBill.NOTHING,
                1);
    }

    /** Valid for a minute. */
    static Decision decision(
            String queryClass,
            long sequence,
            long issuedAtMillis,
            double value,
            double previous,
            DecisionMode mode,
            String reason) {
        return new Decision(
                Decision.ADMISSION,
                SERVICE + "/" + queryClass,
                1,
                sequence,
                issuedAtMillis,
                issuedAtMillis,
                issuedAtMillis + 60_000,
                value,
                previous,
                100,
                mode,
                reason,
                3,
                0.85,
                0.84,
                0.86,
                0.9);
    }

    static ErrorBudget budget(long endMillis, BudgetVerdict verdict, double rate) {
        return new ErrorBudget(
                SERVICE,
                "high",
                "tpr@10",
                endMillis,
                0.9,
                new BurnRate(300_000, rate, rate, rate, 1_000, 100),
                new BurnRate(3_600_000, rate, rate, rate, 10_000, 1_000),
                0.31,
                28L * 86_400_000,
                86_400_000,
                verdict,
                List.of(new LossCause("shard-2", 1)));
    }
}
