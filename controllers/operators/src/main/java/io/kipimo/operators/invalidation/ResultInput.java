package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.ChangeKind;

/**
 * Input of {@link ResultFunction} from the cells of a query's column. Each cell passes on the query's terms before its
 * first match, so the terms arrive in time although rows are not synchronised.
 */
sealed interface ResultInput {
    QueryId id();

    /** The query was registered; every row sends the same terms. */
    record Registered(QueryTerms terms) implements ResultInput {
        @Override
        public QueryId id() {
            return terms.id();
        }
    }

    /**
     * A write that affects the query according to the query's filter.
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
     * @param atMillis event time, epoch milliseconds
     */
    record Unknown(QueryId id, long atMillis) implements ResultInput {}
}
