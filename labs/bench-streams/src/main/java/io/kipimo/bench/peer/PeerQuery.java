package io.kipimo.bench.peer;

import io.kipimo.core.quality.merge.Merge;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of one query, and its quality by the first metric. Merge and similarity are the product's, so peers differ
 * from it in how they join, not in what they compute. Peers do less work than the product: they attribute nothing, keep
 * no windows, and ignore duplicates and tombstones.
 *
 * @param answer null until it is there
 */
public record PeerQuery(Answer answer, List<PartialResult> partials) {
    /** The metric by which all sides measure. */
    public static final String METRIC = "tpr@20";

    /** Time after the start of a query in which its results count, milliseconds. */
    public static final long WINDOW_MILLIS = 10_000;

    private static final int TOP_K = 20;
    private static final Merge MERGE = Merges.of(MergePolicy.TOP_K);
    private static final Similarity SIMILARITY = Similarities.parse(METRIC);

    /** Returns whether all events have arrived, so that the measurement cannot change any more. */
    public boolean isComplete() {
        if (answer == null) {
            return false;
        }
        if (!answer.isDegraded()) {
            return true;
        }
        for (Invocation invocation : answer.invocations()) {
            Phase phase = invocation.outcome() == Outcome.IN_TIME ? Phase.ONLINE : Phase.MATURE;
            if (!has(invocation.component(), phase)) {
                return false;
            }
        }
        return true;
    }

    private boolean has(String component, Phase phase) {
        for (PartialResult partial : partials) {
            if (partial.phase() == phase && partial.component().equals(component)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Measures the query by the results that have arrived. If a component was in time but its result is missing, the
     * high end of the quality is 1, as in the product.
     *
     * @param nowMillis event time
     */
    public Measurement measure(long nowMillis) {
        double quality = answer.isDegraded() ? quality() : 1;
        double high = answer.isDegraded() && lacksInTime() ? 1 : quality;
        return Measurement.builder()
                .service(answer.service())
                .queryId(answer.queryId())
                .queryClass(answer.queryClass())
                .startedAtMillis(answer.startedAtMillis())
                .measuredAtMillis(nowMillis)
                .completeness(isComplete() ? Completeness.COMPLETE : Completeness.EXPIRED)
                .degraded(answer.isDegraded())
                .topK(TOP_K)
                .scores(List.of(new Score(METRIC, quality, high)))
                .build();
    }

    /** Returns whether a result is missing of a component whose items the answer shows. */
    private boolean lacksInTime() {
        for (Invocation invocation : answer.invocations()) {
            if (invocation.outcome() == Outcome.IN_TIME && !has(invocation.component(), Phase.ONLINE)) {
                return true;
            }
        }
        return false;
    }

    private double quality() {
        List<Part> online = new ArrayList<>(partials.size());
        List<Part> all = new ArrayList<>(partials.size());
        for (PartialResult partial : partials) {
            Part part = new Part(partial.component(), partial.items());
            all.add(part);
            if (partial.phase() == Phase.ONLINE) {
                online.add(part);
            }
        }
        return SIMILARITY.of(MERGE.merge(online, TOP_K), MERGE.merge(all, TOP_K));
    }
}
