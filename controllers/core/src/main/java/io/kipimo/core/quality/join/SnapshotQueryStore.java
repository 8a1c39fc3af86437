package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps queries as objects in memory, and takes snapshots of them at once, whatever their number.
 * Another thread can read a snapshot while this store changes. Queries are in segments. After a
 * snapshot, a segment is copied before its first change, and a query is copied before it is handed
 * out for changes.
 */
public final class SnapshotQueryStore implements QueryStore {
    private static final int SEGMENT_BITS = 8;

    private final List<Map<QueryKey, OpenQuery>> segments = new ArrayList<>(1 << SEGMENT_BITS);
    private final boolean[] isShared = new boolean[1 << SEGMENT_BITS];
    private int snapshots;

    public SnapshotQueryStore() {
        for (int i = 0; i < isShared.length; i++) {
            segments.add(new HashMap<>());
        }
    }

    /** The current queries by segment; empty segments are left out. They never change. */
    public List<Map<QueryKey, OpenQuery>> snapshot() {
        snapshots++;
        Arrays.fill(isShared, true);
        return segments.stream()
                .filter(segment -> !segment.isEmpty())
                .map(Collections::unmodifiableMap)
                .toList();
    }

    @Override
    public OpenQuery find(QueryKey key) {
        int segment = segmentOf(key);
        OpenQuery query = segments.get(segment).get(key);
        if (query == null || query.snapshotsBefore == snapshots) {
            return query;
        }
        OpenQuery copy = query.copy();
        put(segment, key, copy);
        return copy;
    }

    @Override
    public void keep(QueryKey key, OpenQuery query, boolean isNew) {
        if (isNew) {
            put(segmentOf(key), key, query);
        }
    }

    @Override
    public void forget(QueryKey key) {
        ownSegment(segmentOf(key)).remove(key);
    }

    @Override
    public boolean keepsObjects() {
        return true;
    }

    private void put(int segment, QueryKey key, OpenQuery query) {
        query.snapshotsBefore = snapshots;
        ownSegment(segment).put(key, query);
    }

    private Map<QueryKey, OpenQuery> ownSegment(int segment) {
        if (isShared[segment]) {
            segments.set(segment, new HashMap<>(segments.get(segment)));
            isShared[segment] = false;
        }
        return segments.get(segment);
    }

    private static int segmentOf(QueryKey key) {
        // Upper bits of a product, since maps use the lower bits of the hash code.
        return (key.hashCode() * 0x9E3779B9) >>> (Integer.SIZE - SEGMENT_BITS);
    }
}
