package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.ChangeKind;
import io.kipimo.core.invalidation.InvalidationRule;
import io.kipimo.core.invalidation.Match;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.operators.invalidation.InvalidationMetrics.Count;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.ResultChange;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * The second stage of matching, after the cells, keyed by query. It applies order and limit, and decides whether a
 * change affects the cached form of the result.
 */
final class ResultFunction extends KeyedProcessFunction<String, ResultInput, Notification> {
    private final InvalidationSettings settings;
    private transient ValueState<QueryResult> state;
    private transient InvalidationMetrics metrics;
    private transient Isolation isolation;

    ResultFunction(InvalidationSettings settings) {
        this.settings = settings;
    }

    static ValueStateDescriptor<QueryResult> stateDescriptor() {
        return new ValueStateDescriptor<>("query-result", InvalidationFormats.RESULT.typeInfo());
    }

    @Override
    public void open(OpenContext context) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        state = getRuntimeContext().getState(stateDescriptor());
        metrics = new InvalidationMetrics(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement(ResultInput input, Context ctx, Collector<Notification> out) throws Exception {
        if (!isolation.run(input.id().subscription(), () -> take(input, ctx, out))) {
            // Whether the result has changed is not known.
            state.clear();
            metrics.count(Count.UNKNOWN_RESULTS);
            out.collect(unknown(input.id(), input.id().registeredMillis(), settings.rule(Representation.OBJECT_LIST)));
        }
    }

    private void take(ResultInput input, Context ctx, Collector<Notification> out) throws Exception {
        QueryResult result = state.value();
        if (input instanceof ResultInput.Registered registered) {
            register(result, registered.terms(), out);
        } else if (result == null || !result.isOf(input.id())) {
            // Input of a registration that has ended or was replaced; the sender's row was not
            // informed yet.
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

    private void register(QueryResult known, QueryTerms terms, Collector<Notification> out) throws Exception {
        if (known != null && terms.registeredMillis() <= known.id().registeredMillis()) {
            return;
        }
        if (known == null || known.isUnknown()) {
            state.update(QueryResult.of(terms, settings.slack()));
        } else if (!known.isRenewedBy(terms)) {
            state.update(QueryResult.of(terms, settings.slack()));
            // Earlier cached results get no further notifications.
            out.collect(unknown(terms));
        } else {
            Optional<Match> difference = known.renew(terms);
            state.update(known);
            if (terms.evaluatedMillis() < known.evaluatedMillis()) {
                // Writes in the first result were not reported, and this one may lack them.
                out.collect(unknown(terms));
            } else if (difference.isPresent()) {
                emit(known, difference.get().kind(), difference.get().write(), out);
            }
        }
    }

    private Notification unknown(QueryTerms terms) {
        return unknown(terms.id(), terms.registeredMillis(), settings.rule(Representation.OBJECT_LIST));
    }

    private void apply(QueryResult result, ResultInput.Matched matched, Collector<Notification> out) throws Exception {
        AfterImage write = matched.image();
        Optional<ChangeKind> change = result.apply(matched.kind(), write);
        if (result.isUsedUp()) {
            becomeUnknown(result, matched.id(), write.writtenAtMillis(), out);
            return;
        }
        if (result.isWindowed()) {
            // Also without a visible change, since records around the window may have changed.
            state.update(result);
        }
        if (change.isPresent()) {
            emit(result, change.get(), write, out);
        }
    }

    /** Emits a notification if the change affects the cached form of the result. */
    private void emit(QueryResult result, ChangeKind change, AfterImage write, Collector<Notification> out) {
        InvalidationRule rule = settings.rule(result.representation());
        if (rule.on(change).isEmpty()) {
            metrics.count(Count.TOLERATED_CHANGES);
            return;
        }
        metrics.count(Count.INVALIDATED_RESULTS);
        out.collect(Notification.of(
                result.id(),
                CachedKind.QUERY,
                change(change),
                write.recordId(),
                write.version(),
                write.writtenAtMillis(),
                rule));
    }

    private static ResultChange change(ChangeKind kind) {
        return switch (kind) {
            case ADD -> ResultChange.ADDED;
            case REMOVE -> ResultChange.REMOVED;
            case CHANGE -> ResultChange.CHANGED;
            case CHANGE_INDEX -> ResultChange.MOVED;
            case UNKNOWN -> ResultChange.UNKNOWN;
        };
    }

    private void becomeUnknown(QueryResult result, QueryId id, long atMillis, Collector<Notification> out)
            throws Exception {
        result.becomeUnknown();
        state.update(result);
        metrics.count(Count.UNKNOWN_RESULTS);
        out.collect(unknown(id, atMillis, settings.rule(result.representation())));
    }

    /** Returns a notification that the result must be evaluated and registered again. */
    static Notification unknown(QueryId id, long atMillis, InvalidationRule rule) {
        return Notification.of(id, CachedKind.QUERY, ResultChange.UNKNOWN, "", 0, Math.max(0, atMillis), rule);
    }
}
