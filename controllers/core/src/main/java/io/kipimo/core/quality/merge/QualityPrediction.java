package io.kipimo.core.quality.merge;

import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Predicts the quality of an answer that lacks components M: {@code max(0, 1 - sum over M of loss)}. A loss is the
 * component's mean Shapley value when it was late. The values of one query sum to its loss, so the mean of the
 * predictions is the mean of the qualities as long as the combinations of late components do not change. Immutable;
 * safe for use by many threads.
 */
public final class QualityPrediction {
    private final Map<String, Double> losses = new HashMap<>();
    private final double usualLoss;

    private QualityPrediction(CompletenessModel model) {
        for (ComponentLoss loss : model.losses()) {
            losses.put(loss.component(), loss.loss());
        }
        usualLoss = model.usualLoss();
    }

    /** A prediction with this model. */
    public static QualityPrediction by(CompletenessModel model) {
        return new QualityPrediction(model);
    }

    /**
     * Expected quality, 0..1; 1 if nothing is missing.
     *
     * @param missing components that were invoked and are not in the answer
     */
    public double of(Collection<String> missing) {
        return of(missing, component -> losses.getOrDefault(component, usualLoss));
    }

    static double of(Collection<String> missing, ToDoubleFunction<String> loss) {
        double quality = 1;
        for (String component : missing) {
            quality -= loss.applyAsDouble(component);
        }
        return Math.max(0, Math.min(1, quality));
    }
}
