package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.CachedQuery;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.change.AfterImage;
import io.kipimo.core.invalidation.change.ChangeKind;
import io.kipimo.core.invalidation.change.Match;
import io.kipimo.core.invalidation.sorted.SortedWindow;
import io.kipimo.core.invalidation.sorted.WindowChange;
import io.kipimo.core.invalidation.sorted.WindowUpdate;
import io.kipimo.schemas.caching.ResultChange;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** What is known of one query's cached result. Mutable; state of {@link ResultFunction}. */
final class QueryResult {
    private final QueryTerms terms;
    private final int slack;
    // Null unless the query is sorted or limited.
    private final SortedWindow window;
    private boolean isUnknown;

    private QueryResult(QueryTerms terms, int slack, SortedWindow window, boolean isUnknown) {
        this.terms = terms;
        this.slack = slack;
        this.window = window;
        this.isUnknown = isUnknown;
    }

    static QueryResult of(QueryTerms terms, int slack) {
        return of(terms, slack, terms.isWholeResult(), false);
    }

    private static QueryResult of(QueryTerms terms, int slack, boolean isAll, boolean isUnknown) {
        CachedQuery query = terms.query();
        SortedWindow window =
                query.isWindowed()
                        ? SortedWindow.of(
                                query.order(),
                                query.offset(),
                                query.limit(),
                                slack,
                                terms.result(),
                                isAll)
                        : null;
        return new QueryResult(withoutResult(terms), slack, window, isUnknown);
    }

    /** The window holds it, changed; or nobody needs it. */
    private static QueryTerms withoutResult(QueryTerms terms) {
        return withResult(terms, List.of());
    }

    private static QueryTerms withResult(QueryTerms terms, List<AfterImage> result) {
        return new QueryTerms(
                terms.service(),
                terms.table(),
                terms.key(),
                terms.registeredMillis(),
                terms.evaluatedMillis(),
                terms.representation(),
                terms.query(),
                result);
    }

    long registeredMillis() {
        return terms.registeredMillis();
    }

    Representation representation() {
        return terms.representation();
    }

    boolean isWindowed() {
        return window != null;
    }

    /** Nothing is told of it any more: the cached result is gone until it is registered anew. */
    boolean isUnknown() {
        return isUnknown;
    }

    void becomeUnknown() {
        isUnknown = true;
    }

    /**
     * What a write does to the result.
     *
     * @return empty: nothing
     */
    Optional<ResultChange> apply(Match match) {
        if (window == null) {
            return Optional.of(change(match.kind()));
        }
        WindowUpdate update = window.apply(match);
        if (update.isUsedUp()) {
            return Optional.of(ResultChange.UNKNOWN);
        }
        // One write is told once; where it does several things, what changes the ids counts most.
        return update.changes().stream()
                .map(WindowChange::kind)
                .reduce((a, b) -> a.changesIds() ? a : b)
                .map(QueryResult::change);
    }

    private static ResultChange change(ChangeKind kind) {
        return switch (kind) {
            case ADD -> ResultChange.ADDED;
            case REMOVE -> ResultChange.REMOVED;
            case CHANGE -> ResultChange.CHANGED;
            case CHANGE_INDEX -> ResultChange.MOVED;
        };
    }

    void write(DataOutputView out) throws IOException {
        boolean isUsedUp = window != null && window.isUsedUp();
        InvalidationFormats.write(window == null ? terms : withResult(terms, window.known()), out);
        out.writeInt(slack);
        out.writeBoolean(window == null || window.knowsAll());
        out.writeBoolean(isUnknown || isUsedUp);
    }

    static QueryResult read(DataInputView in) throws IOException {
        QueryTerms terms = InvalidationFormats.readTerms(in);
        return of(terms, in.readInt(), in.readBoolean(), in.readBoolean());
    }

    QueryResult copy() {
        return window == null
                ? new QueryResult(terms, slack, null, isUnknown)
                : of(
                        withResult(terms, window.known()),
                        slack,
                        window.knowsAll(),
                        isUnknown || window.isUsedUp());
    }
}
