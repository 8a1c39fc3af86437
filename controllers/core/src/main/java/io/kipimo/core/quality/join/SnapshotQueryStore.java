package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;
import java.util.Arrays;
import java.util.List;

/**
 * Keeps queries in memory, and takes snapshots of them at once, whatever their number. Another
 * thread can read a snapshot while this store changes. Queries are in segments. After a snapshot, a
 * segment is copied before its first change, and a query is copied before it is handed out for
 * changes.
 */
public final class SnapshotQueryStore implements QueryStore {
    private static final int SEGMENT_BITS = 8;

    private final QuerySegment[] segments = new QuerySegment[1 << SEGMENT_BITS];
    private final boolean[] isShared = new boolean[1 << SEGMENT_BITS];
    private int snapshots;

    /** The settled query that was found last. */
    private final OpenQuery settled = new OpenQuery();

    /** No part of the state. */
    private final long salt = System.identityHashCode(this);

    public SnapshotQueryStore() {
        Arrays.setAll(segments, i -> new QuerySegment(salt));
    }

    /** The current queries. Empty segments are left out; the others never change. */
    public List<QuerySegment> snapshot() {
        snapshots++;
        Arrays.fill(isShared, true);
        return Arrays.stream(segments).filter(segment -> segment.size() > 0).toList();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // This is the one object, not an equal one.
    public OpenQuery find(QueryKey key) {
        int segment = segmentOf(key);
        OpenQuery query = segments[segment].find(key, settled);
        if (query == null || query == settled || query.snapshotsBefore == snapshots) {
            return query;
        }
        OpenQuery copy = query.copy();
        put(segment, key, copy);
        return copy;
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public void keep(QueryKey key, OpenQuery query, boolean isNew) {
        if (query == settled) {
            // It has changed, and may need an object from now on.
            put(segmentOf(key), key, query.copy());
        } else if (isNew || QuerySegment.isSettled(query)) {
            put(segmentOf(key), key, query);
        }
    }

    @Override
    public void forget(QueryKey key) {
        ownSegment(segmentOf(key)).remove(key);
    }

    @Override
    public boolean keepsObjects() {
        return false;
    }

    private void put(int segment, QueryKey key, OpenQuery query) {
        query.snapshotsBefore = snapshots;
        ownSegment(segment).put(key, query);
    }

    private QuerySegment ownSegment(int segment) {
        if (isShared[segment]) {
            segments[segment] = segments[segment].copy();
            isShared[segment] = false;
        }
        return segments[segment];
    }

    private int segmentOf(QueryKey key) {
        return (int) (QuerySegment.hashOf(key, salt) >>> (Long.SIZE - SEGMENT_BITS));
    }
}
