package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.Effort;
import io.kipimo.core.invalidation.filter.FilterIndex;
import io.kipimo.core.invalidation.filter.UndecidedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The part of a {@link MatchingCell} that handles one collection of records. */
final class CollectionCell {
    /** Least number of removed queries that causes a sweep through all records. */
    private static final int LEAST_SWEPT = 1_024;

    /** Limit of the steps ({@link Effort}) that one query's replay of writes may take. */
    private static final long MOST_A_REPLAY = 1L << 30;

    private record Installed(String key, RegisteredQuery query) {}

    /**
     * A write that can be replayed.
     *
     * @param record current state of the written record
     * @param latestMillis latest time of this write and all that arrived before it, since writes arrive only roughly in
     *     order
     */
    private record Recent(AfterImage write, RecordState record, long latestMillis) {
        /** Whether this write is the newest one of its record. */
        boolean isNewest() {
            return record.version == write.version();
        }
    }

    private final String name;
    private final MatchingCell.Retention settings;
    private final CellJournal journal;
    private final FilterIndex index = new FilterIndex();
    private final List<String> lost = new ArrayList<>();
    private final Effort replayEffort = new Effort(MOST_A_REPLAY);
    private final Map<String, Integer> slots = new HashMap<>();
    private final List<Installed> installed = new ArrayList<>();
    // Slots that are free, and slots that become free when no record refers to them any more.
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private final List<Integer> removed = new ArrayList<>();
    private final Map<String, RecordState> records = new HashMap<>();
    private final ArrayDeque<Recent> recent = new ArrayDeque<>();
    private long horizonMillis = Long.MIN_VALUE;
    // Time of the latest write that is followed by another write of the same record.
    private long replacedMillis = Long.MIN_VALUE;
    // By slot: the phase of a write that touched the query last. Phases are numbered by turn.
    private long[] mark = new long[16];
    private long turn;

    CollectionCell(String name, MatchingCell.Retention settings, CellJournal journal) {
        this.name = name;
        this.settings = settings;
        this.journal = journal;
    }

    int records() {
        return records.size();
    }

    long tests() {
        return index.tests();
    }

    /**
     * Time from which a snapshot of this part can replay writes. A snapshot has only the last write of each record, so
     * it cannot replay earlier writes.
     */
    long snapshotHorizonMillis() {
        return replacedMillis == Long.MIN_VALUE ? horizonMillis : Math.max(horizonMillis, replacedMillis + 1);
    }

    RegistrationOutcome register(String key, Registration registration, Consumer<Match> out) {
        if (isOutdated(registration)) {
            return RegistrationOutcome.EVALUATE_AGAIN;
        }
        unregister(key);
        int slot = install(key, registration.query());
        try {
            Map<String, Boolean> replayed = replay(slot, registration, out);
            registration.versions().forEach((id, version) -> {
                if (!replayed.containsKey(id)) {
                    hold(slot, id, version, out);
                }
            });
        } catch (UndecidedException e) {
            unregister(key);
            return RegistrationOutcome.EVALUATE_AGAIN;
        }
        return RegistrationOutcome.ACTIVE;
    }

    RegistrationOutcome renew(Registration again, Consumer<Match> out) {
        if (isOutdated(again)) {
            return RegistrationOutcome.EVALUATE_AGAIN;
        }
        int slot = slots.get(again.key());
        try {
            Map<String, Boolean> replayed = replay(slot, again, out);
            again.versions().forEach((id, version) -> {
                if (!replayed.containsKey(id)) {
                    holdReevaluated(slot, id, version, again, out);
                }
            });
        } catch (UndecidedException e) {
            return RegistrationOutcome.EVALUATE_AGAIN;
        }
        return RegistrationOutcome.ACTIVE;
    }

    private boolean isOutdated(Registration registration) {
        return registration.evaluatedAtMillis() < horizonMillis
                || registration.versions().entrySet().stream().anyMatch(this::isOutdated);
    }

    /**
     * Whether the cell knows a newer version of the record, but no longer its image, so that the result cannot be
     * updated.
     */
    private boolean isOutdated(Map.Entry<String, Long> result) {
        RecordState record = records.get(result.getKey());
        return record != null && record.version > result.getValue() && !record.isRecent;
    }

    /**
     * Marks a record as part of a query's result. The result's version of the record may be older or newer than the
     * cell's.
     */
    private void hold(int slot, String recordId, long version, Consumer<Match> out) {
        RecordState record = records.computeIfAbsent(recordId, id -> new RecordState());
        journal.record(name, recordId);
        if (version >= record.version) {
            record.hold(slot, version > record.version ? version : RecordState.SEEN);
        } else {
            catchUp(slot, recordId, record, out);
        }
    }

    /**
     * Marks a record as part of a result that was evaluated again. If the record is new in the result, its addition is
     * reported now: the write that added it may still be on its way, and will be reported only as a change when it
     * arrives.
     */
    private void holdReevaluated(int slot, String recordId, long version, Registration again, Consumer<Match> out) {
        RecordState record = records.computeIfAbsent(recordId, id -> new RecordState());
        journal.record(name, recordId);
        if (version < record.version) {
            catchUp(slot, recordId, record, out);
        } else if (!record.isHeldBy(slot)) {
            record.hold(slot, RecordState.SEEN);
            // The sorted window of a windowed query detects a new record itself.
            if (!again.query().isWindowed()) {
                AfterImage known = AfterImage.deletion(name, recordId, version, again.evaluatedAtMillis());
                report(slot, ChangeKind.ADD, known, out);
            }
        }
    }

    /** Brings a result up to date that holds an older version of a record than the cell, and reports the change. */
    private void catchUp(int slot, String recordId, RecordState record, Consumer<Match> out) {
        boolean stays = record.image != null && filter(slot, record.image);
        if (stays) {
            holdAsSeen(slot, recordId, record);
        }
        report(slot, stays ? ChangeKind.CHANGE : ChangeKind.REMOVE, write(recordId, record), out);
    }

    /**
     * Replays all writes that the result lacks, in order. Each of them that affects the result is reported, even if a
     * later write undoes its effect, since another client may have cached the result in between.
     *
     * @return for each record of these writes, whether the result holds it now
     */
    private Map<String, Boolean> replay(int slot, Registration registration, Consumer<Match> out) {
        replayEffort.begin();
        Map<String, Boolean> isHeld = new HashMap<>();
        for (AfterImage write : since(registration.evaluatedAtMillis())) {
            Long version = registration.versions().get(write.recordId());
            boolean isInResult = version == null
                    ? write.writtenAtMillis() < registration.evaluatedAtMillis()
                    : write.version() <= version;
            if (isInResult) {
                continue;
            }
            boolean was = isHeld.getOrDefault(write.recordId(), version != null);
            boolean is = write.image().isPresent() && filter(slot, write.image().get());
            isHeld.put(write.recordId(), is);
            if (was || is) {
                ChangeKind kind = was ? (is ? ChangeKind.CHANGE : ChangeKind.REMOVE) : ChangeKind.ADD;
                report(slot, kind, write, out);
            }
        }
        isHeld.forEach((id, is) -> {
            if (is) {
                holdAsSeen(slot, id, records.get(id));
            }
        });
        return isHeld;
    }

    private List<AfterImage> since(long millis) {
        ArrayDeque<AfterImage> since = new ArrayDeque<>();
        for (Iterator<Recent> i = recent.descendingIterator(); i.hasNext(); ) {
            Recent each = i.next();
            if (each.latestMillis < millis) {
                break;
            }
            since.addFirst(each.write);
        }
        return List.copyOf(since);
    }

    private void holdAsSeen(int slot, String recordId, RecordState record) {
        if (!record.isHeldBy(slot)) {
            record.hold(slot, RecordState.SEEN);
            journal.record(name, recordId);
        }
    }

    private boolean filter(int slot, Document image) {
        replayEffort.beginFilter();
        return installed.get(slot).query.filter().matches(image, replayEffort);
    }

    private AfterImage write(String recordId, RecordState record) {
        return new AfterImage(
                name, recordId, record.version, record.writtenAtMillis, Optional.ofNullable(record.image));
    }

    private int install(String key, RegisteredQuery query) {
        Integer reused = free.poll();
        int slot = reused == null ? installed.size() : reused;
        if (reused == null) {
            installed.add(null);
        }
        installed.set(slot, new Installed(key, query));
        slots.put(key, slot);
        index.add(slot, query.filter());
        if (slot >= mark.length) {
            mark = Arrays.copyOf(mark, slot + (slot >> 1) + 1);
        }
        return slot;
    }

    void unregister(String key) {
        Integer slot = slots.remove(key);
        if (slot == null) {
            return;
        }
        index.remove(slot);
        installed.set(slot, null);
        removed.add(slot);
        if (removed.size() >= Math.max(LEAST_SWEPT, slots.size())) {
            sweep();
        }
    }

    /** Removes unregistered queries from all records, so that their slots can be reused. */
    private void sweep() {
        records.entrySet().removeIf(entry -> {
            RecordState record = entry.getValue();
            record.retain(slot -> installed.get(slot) != null);
            if (record.isForgettable()) {
                journal.record(name, entry.getKey());
                return true;
            }
            return false;
        });
        free.addAll(removed);
        removed.clear();
    }

    /** Keys of the queries whose result is unknown after the last write; the caller must unregister them. */
    List<String> lost() {
        return lost;
    }

    WriteOutcome apply(AfterImage write, Consumer<Match> out) {
        lost.clear();
        RecordState record = records.computeIfAbsent(write.recordId(), id -> new RecordState());
        if (write.version() <= record.version) {
            return WriteOutcome.STALE;
        }
        match(record, write, out);
        if (record.isRecent) {
            replacedMillis = Math.max(replacedMillis, record.writtenAtMillis);
        }
        record.version = write.version();
        record.writtenAtMillis = write.writtenAtMillis();
        record.image = write.image().orElse(null);
        record.isRecent = true;
        remember(write, record);
        journal.record(name, write.recordId());
        return WriteOutcome.APPLIED;
    }

    private void match(RecordState record, AfterImage write, Consumer<Match> out) {
        int selected = write.image().isPresent() ? index.select(write.image().get()) : 0;
        long isUndecided = ++turn;
        for (int i = 0; write.image().isPresent() && i < index.undecided(); i++) {
            int slot = index.undecided(i);
            mark[slot] = isUndecided;
            report(slot, ChangeKind.UNKNOWN, write, out);
            lost.add(installed.get(slot).key);
        }
        if (selected == 0 && record.isHeldByNone()) {
            return;
        }
        long isSelected = ++turn;
        for (int i = 0; i < selected; i++) {
            mark[index.selected(i)] = isSelected;
        }
        long isDone = ++turn;
        RecordState.Holders after = new RecordState.Holders(selected);
        for (int i = 0; i < record.holders(); i++) {
            int slot = record.holder(i);
            if (installed.get(slot) == null || mark[slot] == isUndecided) {
                continue;
            }
            boolean reflectsNewer = record.reflected(i) >= write.version();
            boolean stays = reflectsNewer || mark[slot] == isSelected;
            mark[slot] = isDone;
            if (stays) {
                boolean isAhead = record.reflected(i) > write.version();
                after.add(slot, isAhead ? record.reflected(i) : RecordState.SEEN);
            }
            if (!reflectsNewer) {
                report(slot, stays ? ChangeKind.CHANGE : ChangeKind.REMOVE, write, out);
            }
        }
        for (int i = 0; i < selected; i++) {
            int slot = index.selected(i);
            if (mark[slot] == isSelected) {
                after.add(slot, RecordState.SEEN);
                report(slot, ChangeKind.ADD, write, out);
            }
        }
        record.hold(after);
    }

    private void report(int slot, ChangeKind kind, AfterImage write, Consumer<Match> out) {
        out.accept(new Match(installed.get(slot).key, kind, write));
    }

    private void remember(AfterImage write, RecordState record) {
        long latest = recent.isEmpty() ? Long.MIN_VALUE : recent.getLast().latestMillis;
        recent.addLast(new Recent(write, record, Math.max(latest, write.writtenAtMillis())));
        while (recent.size() > settings.replayWrites()) {
            forgetFirst();
        }
    }

    void forget(long nowMillis) {
        long before = nowMillis - settings.replayMillis();
        while (!recent.isEmpty() && recent.getFirst().write.writtenAtMillis() < before) {
            forgetFirst();
        }
    }

    private void forgetFirst() {
        Recent first = recent.removeFirst();
        horizonMillis = Math.max(horizonMillis, first.write.writtenAtMillis() + 1);
        if (first.isNewest()) {
            first.record.isRecent = false;
            first.record.image = null;
            journal.record(name, first.write.recordId());
            if (first.record.isForgettable()) {
                records.remove(first.write.recordId());
            }
        }
    }

    Optional<RegisteredQuery> query(String key) {
        return Optional.ofNullable(slots.get(key)).map(slot -> installed.get(slot).query);
    }

    Optional<CellSnapshot.RecordSnapshot> record(String id) {
        return Optional.ofNullable(records.get(id)).map(record -> snapshot(id, record));
    }

    void snapshot(Map<String, RegisteredQuery> queries, List<CellSnapshot.RecordSnapshot> into) {
        installed.stream().filter(i -> i != null).forEach(i -> queries.put(i.key, i.query));
        records.forEach((id, record) -> {
            if (!record.isRecent) {
                into.add(snapshot(id, record));
            }
        });
        for (Recent each : recent) {
            if (each.isNewest()) {
                into.add(snapshot(each.write.recordId(), each.record));
            }
        }
    }

    private CellSnapshot.RecordSnapshot snapshot(String id, RecordState record) {
        Map<String, Long> matches = new HashMap<>();
        for (int i = 0; i < record.holders(); i++) {
            Installed query = installed.get(record.holder(i));
            if (query != null) {
                matches.put(query.key, record.reflected(i));
            }
        }
        return new CellSnapshot.RecordSnapshot(
                name,
                id,
                record.version,
                record.writtenAtMillis,
                record.isRecent,
                Optional.ofNullable(record.image),
                matches);
    }

    void restore(String key, RegisteredQuery query) {
        install(key, query);
    }

    void restore(CellSnapshot.RecordSnapshot snapshot) {
        RecordState record = new RecordState();
        record.version = snapshot.version();
        record.writtenAtMillis = snapshot.writtenAtMillis();
        record.isRecent = snapshot.isRecent();
        record.image = snapshot.image().orElse(null);
        snapshot.matches().forEach((key, reflected) -> {
            Integer slot = slots.get(key);
            if (slot != null) {
                record.hold(slot, reflected);
            }
        });
        records.put(snapshot.recordId(), record);
        if (record.isRecent) {
            remember(write(snapshot.recordId(), record), record);
        }
    }

    void restoreHorizon(long millis) {
        horizonMillis = Math.max(horizonMillis, millis);
    }
}
