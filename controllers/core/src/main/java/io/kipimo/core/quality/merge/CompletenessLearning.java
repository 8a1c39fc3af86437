package io.kipimo.core.quality.merge;

import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Learns from measured degraded queries how much quality the absence of each component costs. It also calibrates its
 * predictions: it predicts each query before it learns from it, and compares the prediction with the measurement.
 *
 * <p>An EXPIRED query counts by its low end, as in all means. Only losses by late components are learned. The caller
 * adds the loss by components that were not asked.
 */
public final class CompletenessLearning {
    /** Calibration bins, a tenth of quality each. */
    public static final int BINS = 10;

    /** Limit of component names, because names come from the data; further components have the usual loss. */
    static final int MOST_COMPONENTS = 1000;

    /** Number of queries at which a bin halves its counts and sums. */
    static final long FULL_BIN = 10_000;

    private CompletenessLearning() {}

    /**
     * Learns from one measurement.
     *
     * @return whether anything was learned; false for queries that are clean, have no quality, or name no late
     *     component
     */
    public static boolean learn(CompletenessState state, Measurement measurement) {
        if (!measurement.degraded()
                || !measurement.completeness().hasQuality()
                || measurement.scores().isEmpty()
                || absent(measurement).isEmpty()) {
            return false;
        }
        Score score = measurement.ofLateness(measurement.scores().get(0));
        if (!state.metric.equals(score.metric())) {
            forget(state);
            state.metric = score.metric();
        }
        if (state.queries > 0) {
            account(state, measurement, score);
        }
        state.queries++;
        state.asOfMillis = Math.max(state.asOfMillis, measurement.measuredAtMillis());
        AttributedLosses.of(measurement).forEach((component, lost) -> learn(state, component, lost));
        return true;
    }

    private static void forget(CompletenessState state) {
        CompletenessState fresh = new CompletenessState();
        state.queries = 0;
        state.losses = fresh.losses;
        state.usual = fresh.usual;
        state.binQueries = fresh.binQueries;
        state.binPredicted = fresh.binPredicted;
        state.binMeasured = fresh.binMeasured;
    }

    private static List<String> absent(Measurement measurement) {
        return measurement.components().stream()
                .filter(c -> c.outcome().isLate())
                .map(ComponentShare::component)
                .toList();
    }

    private static void account(CompletenessState state, Measurement measurement, Score score) {
        double predicted = QualityPrediction.of(
                absent(measurement),
                c -> state.losses.getOrDefault(c, state.usual).expected());
        int bin = Math.min(BINS - 1, (int) (predicted * BINS));
        if (state.binQueries[bin] == FULL_BIN) {
            state.binQueries[bin] /= 2;
            state.binPredicted[bin] /= 2;
            state.binMeasured[bin] /= 2;
        }
        state.binQueries[bin]++;
        state.binPredicted[bin] += predicted;
        state.binMeasured[bin] += score.low();
    }

    private static void learn(CompletenessState state, String component, double lost) {
        state.usual = state.usual.with(lost);
        if (state.losses.size() < MOST_COMPONENTS || state.losses.containsKey(component)) {
            state.losses.merge(component, LearnedLoss.NONE.with(lost), (known, first) -> known.with(lost));
        }
    }

    /** The model with which services predict; components in the order of their names. */
    public static CompletenessModel model(CompletenessState state, String service, String queryClass) {
        List<ComponentLoss> losses = new ArrayList<>(state.losses.size());
        new TreeMap<>(state.losses)
                .forEach((component, learned) ->
                        losses.add(new ComponentLoss(component, learned.expected(), learned.queries())));
        List<CalibrationBin> calibration = new ArrayList<>(BINS);
        for (int bin = 0; bin < BINS; bin++) {
            long queries = state.binQueries[bin];
            calibration.add(new CalibrationBin(
                    (double) bin / BINS,
                    (bin + 1.0) / BINS,
                    queries,
                    mean(state.binPredicted[bin], queries),
                    mean(state.binMeasured[bin], queries)));
        }
        return new CompletenessModel(
                service,
                queryClass,
                state.metric,
                state.asOfMillis,
                state.queries,
                state.usual.expected(),
                List.copyOf(losses),
                List.copyOf(calibration));
    }

    private static double mean(double sum, long count) {
        return count == 0 ? 0 : Math.max(0, Math.min(1, sum / count));
    }
}
