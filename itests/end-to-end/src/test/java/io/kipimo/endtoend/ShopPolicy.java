package io.kipimo.endtoend;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.List;
import java.util.Optional;

/** Service shop: two classes, of which the low one is shed for the quality of the high one. */
public final class ShopPolicy {
    private ShopPolicy() {}

    /** Decides on its own, every half second. */
    public static Policy of() {
        return of(20, 2_000, 1_000, 500);
    }

    /**
     * The same with other lengths.
     *
     * @param topK items of an answer, and those that its metric looks at
     * @param periodMillis from one decision to the next
     */
    static Policy of(int topK, long expirationWindowMillis, long windowMillis, long periodMillis) {
        AdmissionPolicy d = AdmissionPolicy.DEFAULT;
        return new Policy(
                "shop",
                1,
                List.of("tpr@" + topK),
                MergePolicy.TOP_K,
                topK,
                expirationWindowMillis,
                windowMillis,
                1_000,
                List.of(
                        new ClassPolicy("high", 0, 0.9, 1, 1, 1, Optional.empty()),
                        new ClassPolicy("low", 1, 0, 0.5, 0.05, 1, Optional.empty())),
                new AdmissionPolicy(
                        ControllerKind.PID,
                        Signal.QUALITY,
                        false,
                        d.kp(),
                        0.2,
                        0,
                        d.currentWeight(),
                        d.timeOutObjective(),
                        100,
                        periodMillis,
                        20,
                        1,
                        0.01,
                        0.2,
                        0.5,
                        10,
                        30_000,
                        5_000),
                SamplingPolicy.DEFAULT,
                false);
    }

    /** Half a second of answers of the high class, far below its objective. */
    public static QualityWindow badBatch(long endMillis) {
        Estimate estimate = new Estimate(0.55, 0.6, 0.65);
        return new QualityWindow(
                "shop",
                "high",
                "tpr@20",
                WindowKind.BATCH,
                endMillis - 500,
                endMillis,
                500,
                0,
                500,
                300,
                100,
                60,
                0,
                0,
                Optional.of(estimate),
                Optional.of(estimate),
                200,
                0.6,
                0.1,
                0.3,
                0.6,
                0.2,
                1,
                0.9,
                List.of(),
                0,
                20,
                Optional.of(0.6),
                MeasurementBill.NOTHING);
    }
}
