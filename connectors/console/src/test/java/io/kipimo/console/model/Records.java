package io.kipimo.console.model;

import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.budget.ErrorBudgetBuilder;
import io.kipimo.schemas.budget.LossCause;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
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
        return Policy.builder()
                .service(SERVICE)
                .version(3)
                .metrics(List.of("tpr@10", "ndcg@10"))
                .topK(10)
                .windowMillis(WINDOW_MILLIS)
                .classes(List.of(
                        ClassPolicy.builder()
                                .name("low")
                                .priority(1)
                                .objective(0.8)
                                .safeFraction(0.5)
                                .build(),
                        ClassPolicy.builder()
                                .name("high")
                                .priority(0)
                                .objective(0.9)
                                .floor(1)
                                .build()))
                .build();
    }

    /** A window of class {@code high}; 100 samples, 20 of them degraded. */
    static QualityWindow window(long endMillis, double mean) {
        return window(SERVICE, "high", endMillis, mean);
    }

    static QualityWindow window(String service, String queryClass, long endMillis, double mean) {
        return window(service, queryClass, "tpr@10", endMillis, Optional.of(estimate(mean)), 0);
    }

    static QualityWindow window(
            String queryClass, String metric, long endMillis, Optional<Estimate> estimate, int expired) {
        return window(SERVICE, queryClass, metric, endMillis, estimate, expired);
    }

    private static QualityWindow window(
            String service,
            String queryClass,
            String metric,
            long endMillis,
            Optional<Estimate> estimate,
            int expired) {
        return QualityWindow.builder()
                .service(service)
                .queryClass(queryClass)
                .metric(metric)
                .kind(WindowKind.SLIDING)
                .startMillis(endMillis - WINDOW_MILLIS)
                .endMillis(endMillis)
                .offered(6_000)
                .rejected(600)
                .answered(5_400)
                .timedOut(1_080)
                .samples(100)
                .degradedSamples(20)
                .expired(expired)
                .estimate(estimate)
                .plainMean(0.9)
                .standardDeviation(0.1)
                .p5(0.5)
                .p50(1)
                .minimum(0.2)
                .belowObjective(0.2)
                .objective(0.9)
                .components(List.of(
                        new ComponentAttribution("shard-1", 5_400, 108, 1),
                        new ComponentAttribution("shard-2", 5_400, 972, 9)))
                .maturePer100Queries(2)
                .build();
    }

    /** A window of class {@code high} with this many unmeasurable answers among 5,400. */
    static QualityWindow unmeasurable(long endMillis, long answers) {
        return with(window(endMillis, 0.98), Map.of(Unmeasurable.NO_COMPONENTS, answers));
    }

    /** Like {@code w}, with unmeasurable answers. */
    static QualityWindow with(QualityWindow w, Map<Unmeasurable, Long> unmeasurable) {
        return w.toBuilder().unmeasurable(unmeasurable).unmeasurableSamples(0).build();
    }

    static Estimate estimate(double mean) {
        return new Estimate(mean - 0.01, mean, Math.min(1, mean + 0.01));
    }

    static Observation queries(String queryClass, long secondMillis) {
        return queries(SERVICE, queryClass, secondMillis);
    }

    static Observation queries(String service, String queryClass, long secondMillis) {
        return ObservationBuilder.builder()
                .service(service)
                .tier("front")
                .server("front-1")
                .queryClass(queryClass)
                .secondMillis(secondMillis)
                .offered(100)
                .rejected(10)
                .answered(90)
                .timedOut(18)
                .bill(MeasurementBill.NOTHING)
                .admittedFraction(1)
                .build();
    }

    /** A decision that is valid for a minute. */
    static Decision decision(
            String queryClass,
            long sequence,
            long issuedAtMillis,
            double value,
            double previous,
            DecisionMode mode,
            String reason) {
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope(SERVICE + "/" + queryClass)
                .epoch(1)
                .sequence(sequence)
                .issuedAtMillis(issuedAtMillis)
                .asOfMillis(issuedAtMillis)
                .validUntilMillis(issuedAtMillis + 60_000)
                .value(value)
                .previous(previous)
                .samples(100)
                .mode(mode)
                .reason(reason)
                .configVersion(3)
                .measured(0.85)
                .low(0.84)
                .high(0.86)
                .objective(0.9)
                .build();
    }

    static ErrorBudget budget(long endMillis, BudgetVerdict verdict, double rate) {
        return ErrorBudgetBuilder.builder()
                .service(SERVICE)
                .queryClass("high")
                .metric("tpr@10")
                .endMillis(endMillis)
                .objective(0.9)
                .shortWindow(new BurnRate(300_000, rate, rate, rate, 1_000, 100))
                .longWindow(new BurnRate(3_600_000, rate, rate, rate, 10_000, 1_000))
                .remaining(0.31)
                .periodMillis(28L * 86_400_000)
                .coveredMillis(86_400_000)
                .verdict(verdict)
                .causes(List.of(new LossCause("shard-2", 1)))
                .build();
    }
}
