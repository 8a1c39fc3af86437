package io.kipimo.core.quality.completeness;

import java.util.HashMap;
import java.util.Map;

/** What has been learned of one class by one metric. Mutable; a Flink POJO. */
public final class CompletenessState {
    /** By which losses are measured; a change of the policy's first one begins anew. */
    public String metric = "";

    public long asOfMillis;

    /** Degraded measured queries. */
    public long queries;

    public Map<String, LearnedLoss> losses = new HashMap<>();

    /** Of any late component. */
    public LearnedLoss usual = LearnedLoss.NONE;

    /** By bin: predicted queries, sums of their predicted and of their measured qualities. */
    public long[] binQueries = new long[CompletenessLearning.BINS];

    public double[] binPredicted = new double[CompletenessLearning.BINS];
    public double[] binMeasured = new double[CompletenessLearning.BINS];
}
