package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Keeps queries as objects in front of a store whose reads and writes are expensive, such as one that keeps bytes. Most
 * queries change several times within a moment, and are then written once. The number of unwritten changes is bounded,
 * so {@link #flush} takes little time. The number of objects is bounded, too; see {@link SnapshotRhythm}. Look-ups of
 * unknown queries do not reach the store, because the keys of all stored queries are known here.
 */
public final class WriteBehindQueryStore implements QueryStore {
    private final QueryStore behind;
    private int mostChanges;
    private final int mostObjects;

    /** Changed queries. First comes the one whose last write, or whose start, is longest ago. */
    private final Map<QueryKey, ChangedQuery> changed = new LinkedHashMap<>();

    /** Queries as the store has them, the one that was written or read first comes first. */
    private final Map<QueryKey, KeptQuery> unchanged = new LinkedHashMap<>();

    /** Keys of the queries that the store has, in any version. */
    private final Set<QueryKey> stored = new HashSet<>();

    private int changes;
    private int objects;

    private static final class ChangedQuery {
        private final OpenQuery query;
        private int changes;

        ChangedQuery(OpenQuery query) {
            this.query = query;
        }
    }

    private record KeptQuery(OpenQuery query, int objects) {}

    /**
     * A store in front of an empty one.
     *
     * @param mostChanges most changes that are not written, at least 1
     * @param mostObjects most written queries and components' places that are kept as objects
     */
    public WriteBehindQueryStore(QueryStore behind, int mostChanges, int mostObjects) {
        this.behind = behind;
        this.mostChanges = mostChanges;
        this.mostObjects = mostObjects;
    }

    /** Takes note of a query that the store has. */
    public void restore(QueryKey key) {
        stored.add(key);
    }

    /** Sets the bound of unwritten changes, at least 1, and writes what is above it. */
    public void bound(int changes) {
        mostChanges = changes;
        writeUntilChangesAre(changes);
    }

    /** Writes all changes. */
    public void flush() {
        writeUntilChangesAre(0);
    }

    @Override
    public OpenQuery find(QueryKey key) {
        ChangedQuery change = changed.get(key);
        if (change != null) {
            return change.query;
        }
        KeptQuery kept = unchanged.get(key);
        if (kept != null) {
            return kept.query;
        }
        if (!stored.contains(key)) {
            return null;
        }
        OpenQuery query = behind.find(key);
        remember(key, query);
        return query;
    }

    @Override
    public void keep(QueryKey key, OpenQuery query, boolean isNew) {
        ChangedQuery change = changed.get(key);
        if (change == null) {
            drop(key);
            change = new ChangedQuery(query);
            changed.put(key, change);
        }
        change.changes++;
        changes++;
        writeUntilChangesAre(mostChanges);
    }

    @Override
    public void forget(QueryKey key) {
        ChangedQuery change = changed.remove(key);
        if (change != null) {
            changes -= change.changes;
        }
        drop(key);
        if (stored.remove(key)) {
            behind.forget(key);
        }
    }

    @Override
    public boolean keepsObjects() {
        return false;
    }

    private void writeUntilChangesAre(int most) {
        if (changes <= most) {
            return;
        }
        Iterator<Map.Entry<QueryKey, ChangedQuery>> oldest = changed.entrySet().iterator();
        while (changes > most) {
            Map.Entry<QueryKey, ChangedQuery> entry = oldest.next();
            oldest.remove();
            changes -= entry.getValue().changes;
            behind.keep(entry.getKey(), entry.getValue().query, stored.add(entry.getKey()));
            remember(entry.getKey(), entry.getValue().query);
        }
    }

    private void remember(QueryKey key, OpenQuery query) {
        KeptQuery kept = new KeptQuery(query, 1 + (query.holdsResults() ? query.componentCount() : 0));
        unchanged.put(key, kept);
        objects += kept.objects;
        Iterator<KeptQuery> first = unchanged.values().iterator();
        while (objects > mostObjects) {
            objects -= first.next().objects;
            first.remove();
        }
    }

    private void drop(QueryKey key) {
        KeptQuery kept = unchanged.remove(key);
        if (kept != null) {
            objects -= kept.objects;
        }
    }
}
