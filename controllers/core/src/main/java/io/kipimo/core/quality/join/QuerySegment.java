package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;
import java.io.IOException;

/**
 * A hash table of queries with open addressing. Finding a query reads two arrays and the query itself; a map would also
 * read an entry and the key, which are elsewhere in memory.
 *
 * <p>Mutable, for one thread. A segment that does not change any more can be read by other threads.
 */
public final class QuerySegment {
    private static final int FIRST_PLACES = 4;

    /** Receives queries. */
    public interface Receiver {
        void accept(QueryKey key, OpenQuery query) throws IOException;
    }

    /** Hashes by place; 0: the place is free. */
    private int[] hashes;

    private OpenQuery[] queries;
    private int used;

    QuerySegment() {
        hashes = new int[FIRST_PLACES];
        queries = new OpenQuery[FIRST_PLACES];
    }

    private QuerySegment(QuerySegment from) {
        hashes = from.hashes.clone();
        queries = from.queries.clone();
        used = from.used;
    }

    /** A copy with the same queries. */
    QuerySegment copy() {
        return new QuerySegment(this);
    }

    /** Number of queries. */
    public int size() {
        return used;
    }

    /** Passes all queries to the receiver. */
    public void forEach(Receiver receiver) throws IOException {
        for (OpenQuery query : queries) {
            if (query != null) {
                receiver.accept(query.key, query);
            }
        }
    }

    /**
     * Finds a query.
     *
     * @param hash of the key, the same in all calls; not 0
     * @return null if there is none
     */
    OpenQuery find(QueryKey key, int hash) {
        return queries[placeOf(key, hash)];
    }

    /** Stores a query under its {@link OpenQuery#key}. It replaces a query with the same key. */
    void put(OpenQuery query, int hash) {
        int place = placeOf(query.key, hash);
        if (queries[place] == null) {
            used++;
            if (3 * used > 2 * queries.length) {
                grow();
                place = placeOf(query.key, hash);
            }
            hashes[place] = hash;
        }
        queries[place] = query;
    }

    void remove(QueryKey key, int hash) {
        int hole = placeOf(key, hash);
        if (queries[hole] == null) {
            return;
        }
        used--;
        // Moves later queries of the chain back, so that no search ends too early.
        int mask = hashes.length - 1;
        for (int next = hole + 1 & mask; hashes[next] != 0; next = next + 1 & mask) {
            if ((next - hashes[next] & mask) >= (next - hole & mask)) {
                hashes[hole] = hashes[next];
                queries[hole] = queries[next];
                hole = next;
            }
        }
        hashes[hole] = 0;
        queries[hole] = null;
    }

    /** Place of a query, or the free place at which the search for it ends. */
    private int placeOf(QueryKey key, int hash) {
        int mask = hashes.length - 1;
        int place = hash & mask;
        while (hashes[place] != 0 && !(hashes[place] == hash && queries[place].isOf(key))) {
            place = place + 1 & mask;
        }
        return place;
    }

    private void grow() {
        int[] hashesBefore = hashes;
        OpenQuery[] queriesBefore = queries;
        hashes = new int[2 * hashesBefore.length];
        queries = new OpenQuery[2 * queriesBefore.length];
        int mask = hashes.length - 1;
        for (int from = 0; from < hashesBefore.length; from++) {
            if (hashesBefore[from] != 0) {
                int to = hashesBefore[from] & mask;
                while (hashes[to] != 0) {
                    to = to + 1 & mask;
                }
                hashes[to] = hashesBefore[from];
                queries[to] = queriesBefore[from];
            }
        }
    }
}
