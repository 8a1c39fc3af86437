package io.kipimo.core.invalidation;

/**
 * Receives the names of changed parts of a cell's state, so that only these need be stored. The owner reads the new
 * state from the cell later ({@link MatchingCell#query}, {@link MatchingCell#record}), so a record that changes a
 * hundred times is stored once.
 */
public interface CellJournal {
    /** Ignores all changes; for cells whose state is not stored. */
    CellJournal NONE = new CellJournal() {
        @Override
        public void query(String queryKey) {}

        @Override
        public void record(String collection, String recordId) {}
    };

    /** A query was added or removed. */
    void query(String queryKey);

    /**
     * A record's version, image or queries changed, or the record was forgotten. This method is not called when a query
     * that holds the record is removed. Stored keys of removed queries are ignored instead, so a key must never be
     * reused for another query.
     */
    void record(String collection, String recordId);
}
