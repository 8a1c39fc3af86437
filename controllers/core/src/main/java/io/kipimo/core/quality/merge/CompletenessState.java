package io.kipimo.core.quality.merge;

import java.util.HashMap;
import java.util.Map;

/** Learned losses of one class by one metric. Mutable; stored field by field. */
public final class CompletenessState {
    /** Metric of the losses; if the policy's first metric changes, the state starts again. */
    public String metric = "";

    public long asOfMillis;

    /** Number of degraded measured queries. */
    public long queries;

    public Map<String, LearnedLoss> losses = new HashMap<>();

    /** Loss by a late component, learned from all components together. */
    public LearnedLoss usual = LearnedLoss.NONE;

    /** By bin: number of predicted queries, sums of their predicted and measured qualities. */
    public long[] binQueries = new long[CompletenessLearning.BINS];

    public double[] binPredicted = new double[CompletenessLearning.BINS];
    public double[] binMeasured = new double[CompletenessLearning.BINS];
}
