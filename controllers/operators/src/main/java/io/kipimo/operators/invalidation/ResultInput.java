package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.change.AfterImage;
import io.kipimo.core.invalidation.change.ChangeKind;

/**
 * What the stage of a query's result is told by the cells of its column. Each cell passes on the
 * terms before its first match, so the stage knows them when it needs them, though rows are not in
 * step.
 */
sealed interface ResultInput {
    QueryId id();

    /** The query is registered; the same from each row. */
    record Registered(QueryTerms terms) implements ResultInput {
        @Override
        public QueryId id() {
            return terms.id();
        }
    }

    /**
     * A write concerns the query by its filter.
     *
     * @param kind ADD, REMOVE or CHANGE
     * @param image without a document unless the query is windowed
     */
    record Matched(QueryId id, ChangeKind kind, AfterImage image) implements ResultInput {}

    /** The query ended. */
    record Ended(QueryId id) implements ResultInput {}

    /**
     * The writes that the result may lack are not known any more, or what one does to it is not.
     *
     * @param atMillis event time
     */
    record Unknown(QueryId id, long atMillis) implements ResultInput {}
}
