package io.kipimo.core.invalidation;

/**
 * Is told what of a cell's state has changed, so that who stores it need not store the rest again.
 * What has become of it is asked of the cell later ({@link MatchingCell#query}, {@link
 * MatchingCell#record}): a record that changes a hundred times is then stored once.
 */
public interface CellJournal {
    /** Nobody stores the cell. */
    CellJournal NONE =
            new CellJournal() {
                @Override
                public void query(String queryKey) {}

                @Override
                public void record(String collection, String recordId) {}
            };

    /** A query came or went. */
    void query(String queryKey);

    /**
     * A record's version, image or queries are others, or it was forgotten. Not told when a query
     * that holds it goes: keys of queries that are not there any more mean nothing, so none may be
     * given to another query.
     */
    void record(String collection, String recordId);
}
