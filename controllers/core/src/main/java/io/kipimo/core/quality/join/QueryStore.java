package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;
import java.util.Arrays;
import java.util.List;

/**
 * Keeps queries as objects in memory, and takes snapshots of them at once, whatever their number. Another thread can
 * read a snapshot while this store changes. Queries are in segments. After a snapshot, a segment is copied before its
 * first change, and a query is copied before it is handed out for changes.
 */
public final class QueryStore {
    private static final int SEGMENT_BITS = 8;

    /** Limit of segments of a snapshot. */
    public static final int SEGMENTS = 1 << SEGMENT_BITS;

    private final QuerySegment[] segments = new QuerySegment[SEGMENTS];
    private final boolean[] isShared = new boolean[SEGMENTS];
    private int snapshots;

    /**
     * Salt of the hashes. Callers of a service may choose trace ids, and could otherwise choose many with the same
     * hash. It determines nothing but places in memory.
     */
    private final long salt = System.identityHashCode(this);

    public QueryStore() {
        Arrays.setAll(segments, i -> new QuerySegment());
    }

    /** Number of queries. */
    public long size() {
        long size = 0;
        for (QuerySegment segment : segments) {
            size += segment.size();
        }
        return size;
    }

    /** The current queries by segment, without empty segments. The returned segments never change. */
    public List<QuerySegment> snapshot() {
        snapshots++;
        Arrays.fill(isShared, true);
        return Arrays.stream(segments).filter(segment -> segment.size() > 0).toList();
    }

    /** The query; null if none is kept. It is valid until the next call. */
    public OpenQuery find(QueryKey key) {
        long hash = key.hash(salt);
        OpenQuery query = segments[segmentOf(hash)].find(key, placeHash(hash));
        if (query == null || query.snapshotsBefore == snapshots) {
            return query;
        }
        OpenQuery copy = query.copy();
        put(copy, hash);
        return copy;
    }

    /** Adds a query whose key is not stored yet. The store keeps the given object itself. */
    void add(QueryKey key, OpenQuery query) {
        query.setKey(key);
        put(query, key.hash(salt));
    }

    /** Removes a query. */
    void forget(QueryKey key) {
        long hash = key.hash(salt);
        ownSegment(segmentOf(hash)).remove(key, placeHash(hash));
    }

    private void put(OpenQuery query, long hash) {
        query.snapshotsBefore = snapshots;
        ownSegment(segmentOf(hash)).put(query, placeHash(hash));
    }

    private QuerySegment ownSegment(int segment) {
        if (isShared[segment]) {
            segments[segment] = segments[segment].copy();
            isShared[segment] = false;
        }
        return segments[segment];
    }

    private static int segmentOf(long hash) {
        return (int) (hash >>> (Long.SIZE - SEGMENT_BITS));
    }

    /** Hash within a segment, from other bits than the segment's number; not 0. */
    private static int placeHash(long hash) {
        return (int) (hash >>> (Long.SIZE - SEGMENT_BITS - Integer.SIZE)) | Integer.MIN_VALUE;
    }
}
