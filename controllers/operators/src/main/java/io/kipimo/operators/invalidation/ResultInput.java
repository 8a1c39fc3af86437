package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.ChangeKind;

/**
 * Input of the second stage from the cells of a query's column. Each cell passes on the terms before its first match,
 * so the stage has the terms in time although rows are not synchronised.
 */
sealed interface ResultInput {
    QueryId id();

    /** The query was registered; every row sends the same. */
    record Registered(QueryTerms terms) implements ResultInput {
        @Override
        public QueryId id() {
            return terms.id();
        }
    }

    /**
     * A write affects the query by its filter.
     *
     * @param kind ADD, REMOVE or CHANGE
     * @param image the write, with its document only if the query is windowed
     */
    record Matched(QueryId id, ChangeKind kind, AfterImage image) implements ResultInput {}

    /** The query ended. */
    record Ended(QueryId id) implements ResultInput {}

    /**
     * The result is unknown: writes that it may lack cannot be replayed any more, or the effect of a write is
     * undecided.
     *
     * @param atMillis event time
     */
    record Unknown(QueryId id, long atMillis) implements ResultInput {}
}
