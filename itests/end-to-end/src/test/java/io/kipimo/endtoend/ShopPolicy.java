package io.kipimo.endtoend;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.List;
import java.util.Optional;

/** Service shop: two classes; the low one is shed to keep the quality of the high one. */
public final class ShopPolicy {
    private ShopPolicy() {}

    /** A policy that is not in shadow mode and decides every half second. */
    public static Policy of() {
        return of(20, 2_000, 1_000, 500);
    }

    /**
     * This policy with other lengths.
     *
     * @param topK items of an answer, also the depth of its metric
     * @param periodMillis control period
     */
    static Policy of(int topK, long expirationWindowMillis, long windowMillis, long periodMillis) {
        AdmissionPolicy d = AdmissionPolicy.DEFAULT;
        return Policy.builder()
                .service("shop")
                .version(1)
                .metrics(List.of("tpr@" + topK))
                .topK(topK)
                .expirationWindowMillis(expirationWindowMillis)
                .windowMillis(windowMillis)
                .slideMillis(1_000)
                .classes(classes())
                .admission(AdmissionPolicy.builder()
                        .shadow(false)
                        .kp(d.kp())
                        .ki(0.2)
                        .currentWeight(d.currentWeight())
                        .timeOutObjective(d.timeOutObjective())
                        .periodMillis(periodMillis)
                        .minimumRatePerSecond(1)
                        .slewUp(0.2)
                        .staleAfterPeriods(10)
                        .leaseMillis(30_000)
                        .decayMillis(5_000)
                        .build())
                .build();
    }

    static List<ClassPolicy> classes() {
        return List.of(
                ClassPolicy.builder()
                        .name("high")
                        .priority(0)
                        .objective(0.9)
                        .floor(1)
                        .build(),
                ClassPolicy.builder()
                        .name("low")
                        .priority(1)
                        .objective(0)
                        .safeFraction(0.5)
                        .build());
    }

    /** Half a second of answers of the high class, far below its objective. */
    public static QualityWindow badBatch(long endMillis) {
        Estimate estimate = new Estimate(0.55, 0.6, 0.65);
        return QualityWindow.builder()
                .service("shop")
                .queryClass("high")
                .metric("tpr@20")
                .kind(WindowKind.BATCH)
                .startMillis(endMillis - 500)
                .endMillis(endMillis)
                .offered(500)
                .answered(500)
                .timedOut(300)
                .samples(100)
                .degradedSamples(60)
                .estimate(Optional.of(estimate))
                .averaged(Optional.of(estimate))
                .averagedSamples(200)
                .objective(0.9)
                .lossPerTimeOut(Optional.of(0.6))
                .build();
    }
}
