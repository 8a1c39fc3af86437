package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.change.AfterImage;
import io.kipimo.core.invalidation.change.Match;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Matches some of the writes against some of the queries: one cell of the grid. Mutable, for one
 * thread.
 *
 * <p>The state before a write is kept by record, as the numbers of the queries that hold it: the
 * sum of all results' sizes, which admission bounds, whereas before-images would grow with the
 * database. One look-up by record gives all queries that a write may leave or change, one selection
 * from the index all that it may enter; the difference is exact, and no query that is in neither is
 * touched.
 *
 * <p>Versions of records that no query holds are known as long as their write can be replayed. A
 * version that comes later than that is taken for new: a query that needed no invalidation is
 * better than one that was missed.
 */
public final class MatchingCell {
    private final CellSettings settings;
    private final Map<String, CollectionCell> collections = new HashMap<>();
    private final Map<String, String> collectionOf = new HashMap<>();

    public MatchingCell(CellSettings settings) {
        this.settings = settings;
    }

    /** A cell that goes on where the snapshot was taken. */
    public static MatchingCell restore(CellSettings settings, CellSnapshot snapshot) {
        MatchingCell cell = new MatchingCell(settings);
        for (CachedQuery query : snapshot.queries()) {
            cell.collection(query.collection()).restore(query);
            cell.collectionOf.put(query.key(), query.collection());
        }
        for (CellSnapshot.RecordSnapshot record : snapshot.records()) {
            cell.collection(record.collection()).restore(record);
        }
        cell.collections.values().forEach(c -> c.restoreHorizon(snapshot.horizonMillis()));
        return cell;
    }

    /**
     * Installs a query, in place of one with the same key, and replays the writes that its result
     * may not hold.
     *
     * @param out takes the matches of replayed writes
     */
    public RegistrationOutcome register(Registration registration, Consumer<Match> out) {
        CachedQuery query = registration.query();
        String key = query.key();
        RegistrationOutcome outcome =
                collection(query.collection()).register(key, registration, out);
        if (outcome == RegistrationOutcome.ACTIVE) {
            collectionOf.put(key, query.collection());
        } else {
            unregister(key);
        }
        return outcome;
    }

    /** Forgets a query; nothing if it is not known. */
    public void unregister(String queryKey) {
        String collection = collectionOf.remove(queryKey);
        if (collection != null) {
            collections.get(collection).unregister(queryKey);
        }
    }

    /**
     * Matches a write.
     *
     * @param out takes one match for each query whose result the write changes
     */
    public WriteOutcome apply(AfterImage write, Consumer<Match> out) {
        return collection(write.collection()).apply(write, out);
    }

    /** Forgets writes that are too old to be replayed. */
    public void forget(long nowMillis) {
        collections.values().forEach(collection -> collection.forget(nowMillis));
    }

    /** Queries in it. */
    public int queries() {
        return collectionOf.size();
    }

    /** Records of which something is known. */
    public int records() {
        return collections.values().stream().mapToInt(CollectionCell::records).sum();
    }

    /** How often a query was tested against a write so far: the cost of matching. */
    public long tests() {
        return collections.values().stream().mapToLong(CollectionCell::tests).sum();
    }

    public CellSnapshot snapshot() {
        List<CachedQuery> queries = new ArrayList<>();
        List<CellSnapshot.RecordSnapshot> records = new ArrayList<>();
        long horizonMillis = Long.MIN_VALUE;
        for (CollectionCell collection : collections.values()) {
            collection.snapshot(queries, records);
            horizonMillis = Math.max(horizonMillis, collection.horizonMillis());
        }
        return new CellSnapshot(horizonMillis, queries, records);
    }

    private CollectionCell collection(String name) {
        return collections.computeIfAbsent(name, n -> new CollectionCell(n, settings));
    }
}
