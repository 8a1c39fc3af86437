package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;
import java.util.Arrays;
import java.util.List;

/**
 * Keeps queries as objects in memory, and takes snapshots of them at once, whatever their number. Another thread can
 * read a snapshot while this store changes. Queries are in segments. After a snapshot, a segment is copied before its
 * first change, and a query is copied before it is handed out for changes.
 */
public final class SnapshotQueryStore implements QueryStore {
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

    public SnapshotQueryStore() {
        Arrays.setAll(segments, i -> new QuerySegment());
    }

    /** The current queries by segment; empty segments are left out. They never change. */
    public List<QuerySegment> snapshot() {
        snapshots++;
        Arrays.fill(isShared, true);
        return Arrays.stream(segments).filter(segment -> segment.size() > 0).toList();
    }

    @Override
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

    @Override
    public void keep(QueryKey key, OpenQuery query, boolean isNew) {
        if (isNew) {
            query.setKey(key);
            put(query, key.hash(salt));
        }
    }

    @Override
    public void forget(QueryKey key) {
        long hash = key.hash(salt);
        ownSegment(segmentOf(hash)).remove(key, placeHash(hash));
    }

    @Override
    public boolean keepsObjects() {
        return true;
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

    /** Hash within a segment, of other bits; not 0. */
    private static int placeHash(long hash) {
        return (int) (hash >>> (Long.SIZE - SEGMENT_BITS - Integer.SIZE)) | Integer.MIN_VALUE;
    }
}
