package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.change.AfterImage;
import io.kipimo.core.invalidation.change.Match;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final CellJournal journal;
    private final Map<String, CollectionCell> collections = new HashMap<>();
    private final Map<String, String> collectionOf = new HashMap<>();

    public MatchingCell(CellSettings settings) {
        this(settings, CellJournal.NONE);
    }

    /**
     * @param journal is told of every change of state
     */
    public MatchingCell(CellSettings settings, CellJournal journal) {
        this.settings = settings;
        this.journal = journal;
    }

    /** A cell that goes on where the snapshot was taken. */
    public static MatchingCell restore(CellSettings settings, CellSnapshot snapshot) {
        return restore(settings, snapshot, CellJournal.NONE);
    }

    /**
     * A cell that goes on where the snapshot was taken.
     *
     * @param journal is told of every change after that
     */
    public static MatchingCell restore(
            CellSettings settings, CellSnapshot snapshot, CellJournal journal) {
        MatchingCell cell = new MatchingCell(settings, journal);
        snapshot.queries()
                .forEach(
                        (key, query) -> {
                            cell.collection(query.collection()).restore(key, query);
                            cell.collectionOf.put(key, query.collection());
                        });
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
        RegisteredQuery query = registration.query();
        String key = registration.key();
        RegistrationOutcome outcome =
                collection(query.collection()).register(key, registration, out);
        if (outcome == RegistrationOutcome.ACTIVE) {
            collectionOf.put(key, query.collection());
            journal.query(key);
        } else {
            unregister(key);
        }
        return outcome;
    }

    /**
     * Goes on with a query that was evaluated anew. The new result may hold writes that are still
     * on their way to the cell; whoever caches an older one has to be told of them nonetheless. So
     * nothing is taken from the new result that would keep a write quiet: each is told that changes
     * what the writes before it made of the oldest result. What the new result lacks is told now,
     * as when it is registered.
     *
     * @param again what is registered under that key, evaluated later
     * @param out takes the matches of writes that the new result lacks
     * @return if EVALUATE_AGAIN, the query is not in the cell any more
     * @throws IllegalArgumentException if another query, or none, has the key
     */
    public RegistrationOutcome renew(Registration again, Consumer<Match> out) {
        String key = again.key();
        if (query(key).filter(again.query()::asksTheSame).isEmpty()) {
            throw new IllegalArgumentException("query " + key + " is not in the cell");
        }
        RegistrationOutcome outcome = collection(again.query().collection()).renew(again, out);
        if (outcome == RegistrationOutcome.EVALUATE_AGAIN) {
            unregister(key);
        }
        return outcome;
    }

    /** Forgets a query; nothing if it is not known. */
    public void unregister(String queryKey) {
        String collection = collectionOf.remove(queryKey);
        if (collection != null) {
            collections.get(collection).unregister(queryKey);
            journal.query(queryKey);
        }
    }

    /**
     * Matches a write.
     *
     * @param out takes one match for each query whose result the write changes. A query of which it
     *     says UNKNOWN is not in the cell any more
     */
    public WriteOutcome apply(AfterImage write, Consumer<Match> out) {
        CollectionCell collection = collection(write.collection());
        WriteOutcome outcome = collection.apply(write, out);
        collection.lost().forEach(this::unregister);
        return outcome;
    }

    /** Forgets writes that are too old to be replayed. */
    public void forget(long nowMillis) {
        collections.values().forEach(collection -> collection.forget(nowMillis));
    }

    /** The query with that key; empty if it is not in the cell. */
    public Optional<RegisteredQuery> query(String queryKey) {
        String collection = collectionOf.get(queryKey);
        return collection == null ? Optional.empty() : collections.get(collection).query(queryKey);
    }

    /** What is known of a record; empty if nothing is. */
    public Optional<CellSnapshot.RecordSnapshot> record(String collection, String recordId) {
        CollectionCell known = collections.get(collection);
        return known == null ? Optional.empty() : known.record(recordId);
    }

    /**
     * Writes from here on are replayed by a cell that is restored from what the cell knows now;
     * {@link Long#MIN_VALUE} if all are.
     */
    public long horizonMillis() {
        return collections.values().stream()
                .mapToLong(CollectionCell::snapshotHorizonMillis)
                .max()
                .orElse(Long.MIN_VALUE);
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
        Map<String, RegisteredQuery> queries = new HashMap<>();
        List<CellSnapshot.RecordSnapshot> records = new ArrayList<>();
        for (CollectionCell collection : collections.values()) {
            collection.snapshot(queries, records);
        }
        return new CellSnapshot(horizonMillis(), queries, records);
    }

    private CollectionCell collection(String name) {
        return collections.computeIfAbsent(name, n -> new CollectionCell(n, settings, journal));
    }
}
