package io.kipimo.core.invalidation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One cell of the grid: it matches its share of the writes against its share of the queries. Mutable, for one thread.
 *
 * <p>For each record, the cell keeps the set of queries whose results hold it, and not the record's content before a
 * write. All sets together are as large as all results together, which admission bounds; the contents of records would
 * grow with the database. For a write, a look-up by record gives the queries whose results held the record before. A
 * selection from the filter index gives the queries that select it now. Comparing the two gives the exact changes, and
 * no other query is visited.
 *
 * <p>The version of a record that no query holds is kept while its write can be replayed. After that, a late write with
 * an older version is matched as if it were new, since an unnecessary invalidation is better than a missed one.
 */
public final class MatchingCell {

    /**
     * Limits of the history that a cell keeps.
     *
     * @param replayMillis milliseconds for which writes can be replayed and late versions recognised, at least 1. It
     *     must exceed the delay between a query's evaluation and its arrival, and the lateness of writes
     * @param replayWrites greatest number of writes that can be replayed for each collection, at least 1
     */
    public record Retention(long replayMillis, int replayWrites) {
        public Retention {
            if (replayMillis < 1 || replayWrites < 1) {
                throw new IllegalArgumentException(
                        "replayMillis " + replayMillis + ", replayWrites " + replayWrites + "; allowed: from 1");
            }
        }
    }

    private final Retention settings;
    private final CellJournal journal;
    private final Map<String, CollectionCell> collections = new HashMap<>();
    private final Map<String, String> collectionOf = new HashMap<>();

    public MatchingCell(Retention settings) {
        this(settings, CellJournal.NONE);
    }

    /** @param journal receives every change of state */
    public MatchingCell(Retention settings, CellJournal journal) {
        this.settings = settings;
        this.journal = journal;
    }

    /** A cell that continues from a snapshot. */
    public static MatchingCell restore(Retention settings, CellSnapshot snapshot) {
        return restore(settings, snapshot, CellJournal.NONE);
    }

    /**
     * A cell that continues from a snapshot.
     *
     * @param journal receives every later change
     */
    public static MatchingCell restore(Retention settings, CellSnapshot snapshot, CellJournal journal) {
        MatchingCell cell = new MatchingCell(settings, journal);
        snapshot.queries().forEach((key, query) -> {
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
     * Installs a query, replacing one with the same key, and replays the writes that its result may lack.
     *
     * @param out takes the matches of replayed writes
     */
    public RegistrationOutcome register(Registration registration, Consumer<Match> out) {
        RegisteredQuery query = registration.query();
        String key = registration.key();
        RegistrationOutcome outcome = collection(query.collection()).register(key, registration, out);
        if (outcome == RegistrationOutcome.ACTIVE) {
            collectionOf.put(key, query.collection());
            journal.query(key);
        } else {
            unregister(key);
        }
        return outcome;
    }

    /**
     * Continues a query that was evaluated again. The new result may include writes that have not reached the cell, but
     * clients with an older cached result still need the notifications of these writes. So versions from the new result
     * never suppress a write. A write is reported if it changes the oldest result, as updated by the writes before it.
     * Writes that the new result lacks are reported now, as they are in a registration.
     *
     * @param again the registered query with a later evaluation
     * @param out takes the matches of writes that the new result lacks
     * @return EVALUATE_AGAIN if the query was removed from the cell
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

    /** Removes a query; no effect if it is unknown. */
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
     * @param out takes one match for each query whose result the write changes. A query with an UNKNOWN match is no
     *     longer in the cell
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
        return collection == null
                ? Optional.empty()
                : collections.get(collection).query(queryKey);
    }

    /** State of a record; empty if it is unknown. */
    public Optional<CellSnapshot.RecordSnapshot> record(String collection, String recordId) {
        CollectionCell known = collections.get(collection);
        return known == null ? Optional.empty() : known.record(recordId);
    }

    /**
     * Time from which a cell restored from the current state can replay writes; {@link Long#MIN_VALUE} if it can replay
     * all.
     */
    public long horizonMillis() {
        return collections.values().stream()
                .mapToLong(CollectionCell::snapshotHorizonMillis)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    /** Number of queries. */
    public int queries() {
        return collectionOf.size();
    }

    /** Number of records with state. */
    public int records() {
        return collections.values().stream().mapToInt(CollectionCell::records).sum();
    }

    /** Number of tests of a query against a write so far: the cost of matching. */
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
