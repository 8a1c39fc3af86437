package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.InvalidationRule;
import io.kipimo.core.invalidation.change.ChangeKind;
import io.kipimo.core.invalidation.change.Match;
import io.kipimo.operators.invalidation.InvalidationMetrics.Count;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.ResultChange;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * The second stage, keyed by query: order and limit where it has them, and whether the change
 * concerns the form in which the result is cached.
 */
final class ResultFunction extends KeyedProcessFunction<String, ResultInput, Notification> {
    private static final long serialVersionUID = 1L;

    private final InvalidationSettings settings;
    private transient ValueState<QueryResult> state;
    private transient InvalidationMetrics metrics;

    ResultFunction(InvalidationSettings settings) {
        this.settings = settings;
    }

    static ValueStateDescriptor<QueryResult> stateDescriptor() {
        return new ValueStateDescriptor<>("query-result", InvalidationFormats.RESULT);
    }

    @Override
    public void open(OpenContext context) {
        state = getRuntimeContext().getState(stateDescriptor());
        metrics = new InvalidationMetrics(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement(ResultInput input, Context ctx, Collector<Notification> out)
            throws Exception {
        QueryResult result = state.value();
        long registered = input.id().registeredMillis();
        if (input instanceof ResultInput.Registered terms) {
            if (result == null || registered > result.registeredMillis()) {
                state.update(QueryResult.of(terms.terms(), settings.slack()));
            }
        } else if (result == null || result.registeredMillis() != registered) {
            // Of a registration that was ended or replaced, while other rows had not heard of it.
            return;
        } else if (input instanceof ResultInput.Ended) {
            state.clear();
        } else if (result.isUnknown()) {
            return;
        } else if (input instanceof ResultInput.Unknown unknown) {
            becomeUnknown(result, unknown.id(), unknown.atMillis(), out);
        } else {
            apply(result, (ResultInput.Matched) input, out);
        }
    }

    private void apply(QueryResult result, ResultInput.Matched matched, Collector<Notification> out)
            throws Exception {
        Match match = new Match(matched.id().text(), matched.kind(), matched.image());
        Optional<ResultChange> change = result.apply(match);
        if (change.isEmpty()) {
            return;
        }
        if (change.get() == ResultChange.UNKNOWN) {
            becomeUnknown(result, matched.id(), matched.image().writtenAtMillis(), out);
            return;
        }
        if (result.isWindowed()) {
            state.update(result);
        }
        InvalidationRule rule = settings.rule(result.representation());
        if (rule.on(kind(change.get())).isEmpty()) {
            metrics.count(Count.TOLERATED_CHANGES);
            return;
        }
        metrics.count(Count.INVALIDATED_RESULTS);
        out.collect(
                Notification.of(
                        matched.id(),
                        CachedKind.QUERY,
                        change.get(),
                        matched.image().recordId(),
                        matched.image().version(),
                        matched.image().writtenAtMillis(),
                        rule));
    }

    private static ChangeKind kind(ResultChange change) {
        return switch (change) {
            case ADDED -> ChangeKind.ADD;
            case REMOVED -> ChangeKind.REMOVE;
            case CHANGED -> ChangeKind.CHANGE;
            case MOVED -> ChangeKind.CHANGE_INDEX;
            case UNKNOWN -> throw new IllegalArgumentException("of no kind");
        };
    }

    private void becomeUnknown(
            QueryResult result, QueryId id, long atMillis, Collector<Notification> out)
            throws Exception {
        result.becomeUnknown();
        state.update(result);
        metrics.count(Count.UNKNOWN_RESULTS);
        out.collect(unknown(id, atMillis, settings.rule(result.representation())));
    }

    /** The result is to be evaluated again, and registered anew. */
    static Notification unknown(QueryId id, long atMillis, InvalidationRule rule) {
        return Notification.of(
                id, CachedKind.QUERY, ResultChange.UNKNOWN, "", 0, Math.max(0, atMillis), rule);
    }
}
