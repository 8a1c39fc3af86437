package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.ChangeKind;
import io.kipimo.core.invalidation.Match;
import io.kipimo.core.invalidation.RegisteredQuery;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.SortedWindow;
import io.kipimo.core.invalidation.WindowChange;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** State of one query's cached result in {@link ResultFunction}. Mutable. */
final class QueryResult {
    // Terms of the first registration.
    private final QueryTerms terms;
    private final int slack;
    // Null unless the query is sorted or limited.
    private final SortedWindow window;
    private long newestMillis;
    private boolean isUnknown;

    private QueryResult(QueryTerms terms, int slack, SortedWindow window, long newestMillis, boolean isUnknown) {
        this.terms = terms;
        this.slack = slack;
        this.window = window;
        this.newestMillis = newestMillis;
        this.isUnknown = isUnknown;
    }

    static QueryResult of(QueryTerms terms, int slack) {
        return new QueryResult(
                withoutResult(terms),
                slack,
                window(terms, slack, terms.isWholeResult()),
                terms.registeredMillis(),
                false);
    }

    private static SortedWindow window(QueryTerms terms, int slack, boolean isAll) {
        RegisteredQuery query = terms.query();
        return query.isWindowed()
                ? SortedWindow.of(query.order(), query.offset(), query.limit(), slack, terms.result(), isAll)
                : null;
    }

    /** Returns the terms without their result: the window holds the current result, or the result is not needed. */
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

    /** The newest registration. */
    QueryId id() {
        return terms.id().at(newestMillis);
    }

    /**
     * Returns whether input with this registration belongs to this result: it is the first registration, the newest, or
     * one between.
     */
    boolean isOf(QueryId registration) {
        return registration.registeredMillis() >= terms.registeredMillis()
                && registration.registeredMillis() <= newestMillis;
    }

    /** Time at which the result of the first registration was evaluated, epoch milliseconds. */
    long evaluatedMillis() {
        return terms.evaluatedMillis();
    }

    /** Whether a later registration has the same query and form. */
    boolean isRenewedBy(QueryTerms again) {
        return terms.representation() == again.representation() && terms.query().asksTheSame(again.query());
    }

    /**
     * Continues with a later registration. The window does not change, since earlier results may be cached too.
     *
     * @return a difference between the window and the new result, if there is one; the writes behind it may still be on
     *     their way
     */
    Optional<Match> renew(QueryTerms again) {
        newestMillis = again.registeredMillis();
        if (window == null) {
            return Optional.empty();
        }
        SortedWindow evaluated = window(again, slack, again.isWholeResult());
        return evaluated.differenceTo(window).map(change -> difference(change, evaluated));
    }

    private Match difference(WindowChange change, SortedWindow evaluated) {
        AfterImage image = Stream.concat(window.images().stream(), evaluated.images().stream())
                .filter(each -> each.recordId().equals(change.recordId()))
                .findFirst()
                .orElseThrow();
        return new Match(terms.key(), change.kind(), image);
    }

    Representation representation() {
        return terms.representation();
    }

    boolean isWindowed() {
        return window != null;
    }

    /** Whether the result is unknown, and so gets no notifications until its next registration. */
    boolean isUnknown() {
        return isUnknown;
    }

    void becomeUnknown() {
        isUnknown = true;
    }

    /**
     * Returns whether the window no longer knows the result's order and end, so that the query must be evaluated again.
     */
    boolean isUsedUp() {
        return window != null && window.isUsedUp();
    }

    /**
     * Applies a write to the result.
     *
     * @return the kind of the change; empty if the result does not change, or if the window is used up
     *     ({@link #isUsedUp})
     */
    Optional<ChangeKind> apply(ChangeKind kind, AfterImage write) {
        if (window == null) {
            return Optional.of(kind);
        }
        // One notification for each write: the change of the written record, even if other records
        // move.
        return window.apply(new Match(terms.key(), kind, write)).changes().stream()
                .reduce((a, b) -> a.recordId().equals(write.recordId()) ? a : b)
                .map(WindowChange::kind);
    }

    void write(DataOutputView out) throws IOException {
        InvalidationFormats.write(window == null ? terms : withResult(terms, window.known()), out);
        out.writeInt(slack);
        out.writeBoolean(window == null || window.knowsAll());
        out.writeLong(newestMillis);
        out.writeBoolean(isUnknown || isUsedUp());
    }

    static QueryResult read(DataInputView in) throws IOException {
        QueryTerms terms = InvalidationFormats.readTerms(in);
        int slack = in.readInt();
        SortedWindow window = window(terms, slack, in.readBoolean());
        return new QueryResult(withoutResult(terms), slack, window, in.readLong(), in.readBoolean());
    }

    QueryResult copy() {
        if (window == null) {
            return new QueryResult(terms, slack, null, newestMillis, isUnknown);
        }
        QueryTerms known = withResult(terms, window.known());
        return new QueryResult(
                terms, slack, window(known, slack, window.knowsAll()), newestMillis, isUnknown || isUsedUp());
    }
}
