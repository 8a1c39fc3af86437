package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.core.quality.join.JoinOutput;
import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryStore;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Measures and profiles the recorded queries of one policy by a {@link JoinEngine}. The caller adds all answers first,
 * then the partial results in any order. Event time does not advance until {@link #finish}. A query's items are
 * discarded as soon as no further result can arrive. Every answered query is measured once. Mutable.
 */
public final class QueryReplay implements JoinOutput {
    /** Receives each measured query whose results are known, as {@link JoinOutput#onResults}. */
    public interface Results {
        void accept(QueryKey key, OpenQuery query, Optional<Measurement> measurement);
    }

    private final Consumer<Measurement> measurements;
    private final Results results;
    private final ContributionBounds bounds = new ContributionBounds();
    private final QueryStore open = new QueryStore();
    private final JoinEngine engine;

    /**
     * @param profiles receives the profiles of queries whose needed results were recorded
     * @throws IllegalArgumentException if a metric is unknown, or the policy's merge is {@code REPLAYED_ANSWERS}
     */
    public QueryReplay(Policy policy, Consumer<Measurement> measurements, Consumer<QueryProfile> profiles) {
        this(policy, measurements, profiled(QualitySettings.of(policy), profiles));
    }

    /** @throws IllegalArgumentException if a metric is unknown, or the policy's merge is {@code REPLAYED_ANSWERS} */
    public QueryReplay(Policy policy, Consumer<Measurement> measurements, Results results) {
        this.measurements = measurements;
        this.results = results;
        if (policy.merge().kind() == MergeKind.REPLAYED_ANSWERS) {
            throw new IllegalArgumentException("merge is REPLAYED_ANSWERS; allowed: one that merges partial results");
        }
        QualitySettings measuring = QualitySettings.of(policy);
        this.engine = new JoinEngine(open, service -> measuring, true, this);
    }

    /** Adds an answer; repetitions and replays are ignored. */
    public void add(Answer answer) {
        if (answer.kind() == AnswerKind.ONLINE) {
            engine.accept(QueryEvent.of(answer));
        }
    }

    /** Adds a result; repetitions and results of queries without an answer are ignored. */
    public void add(PartialResult partial) {
        QueryEvent event = QueryEvent.of(partial);
        if (open.find(event.key()) != null) {
            engine.accept(event);
        }
    }

    /** Ends the input: measures the remaining queries. */
    public void finish() {
        engine.advance(Long.MAX_VALUE);
    }

    @Override
    public void onMeasurement(Measurement measurement, long measuredBeforeMillis) {
        measurements.accept(bounds.complete(measurement, measuredBeforeMillis));
    }

    @Override
    public void onResults(QueryKey key, OpenQuery query, Optional<Measurement> measurement) {
        results.accept(key, query, measurement);
    }

    private static Results profiled(QualitySettings profiling, Consumer<QueryProfile> profiles) {
        return (key, query, measurement) -> ProfileSubject.of(key, query, measurement)
                .map(subject -> Profiling.profile(subject, profiling))
                .ifPresent(profiles);
    }
}
