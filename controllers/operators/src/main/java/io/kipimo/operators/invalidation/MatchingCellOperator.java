package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.CellJournal;
import io.kipimo.core.invalidation.CellSnapshot;
import io.kipimo.core.invalidation.ChangeKind;
import io.kipimo.core.invalidation.Match;
import io.kipimo.core.invalidation.MatchingCell;
import io.kipimo.core.invalidation.RegisteredQuery;
import io.kipimo.core.invalidation.Registration;
import io.kipimo.core.invalidation.RegistrationOutcome;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.WriteOutcome;
import io.kipimo.core.invalidation.filter.Grid;
import io.kipimo.operators.flink.KeyGroups;
import io.kipimo.operators.invalidation.InvalidationMetrics.Count;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.ResultChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Runs {@link MatchingCell}s, keyed by cell of the grid, so that rescaling moves whole cells.
 *
 * <p>Matching works in memory. State has one entry in {@code queries} for each query and one in {@code records} for
 * each record. Each cell's journal collects the keys of changed entries. They are stored once {@value #MOST_UNSTORED}
 * are pending, and in the synchronous part of a checkpoint. So the cost of a checkpoint depends on pending changes, not
 * on the number of queries. (On RocksDB, storing each change at once would serialise every after-image, although most
 * are soon forgotten.) On the heap, the state holds the same immutable objects as the cell. A restored cell is built
 * from its entries, with records in the order of their writes.
 *
 * <p>It is an operator instead of a process function because it handles checkpoints and watermarks for all cells at
 * once.
 */
final class MatchingCellOperator extends AbstractStreamOperator<ResultInput>
        implements OneInputStreamOperator<CellInput, ResultInput> {
    /** Side output of notifications about written records, whose copies in caches of single records are stale. */
    static final OutputTag<Notification> RECORDS =
            new OutputTag<>("written-records", InvalidationFormats.NOTIFICATION.typeInfo());

    /**
     * Number of changed entries of a cell at which they are stored. If they were only stored at checkpoints every ten
     * seconds, storing would stop the task for a tenth of a second.
     */
    private static final int MOST_UNSTORED = 256;

    private final InvalidationSettings settings;
    private transient Grid grid;
    private transient Map<Integer, JournaledCell> cells;
    private transient MapState<String, RegisteredQuery> queries;
    private transient MapState<String, CellSnapshot.RecordSnapshot> records;
    private transient MapState<String, Long> renewals;
    private transient ValueState<Long> horizon;
    private transient InvalidationMetrics counts;
    private transient Isolation isolation;

    MatchingCellOperator(InvalidationSettings settings) {
        this.settings = settings;
    }

    /** State: queries, by the {@linkplain QueryId#text text} of the registration since which they are matched. */
    static MapStateDescriptor<String, RegisteredQuery> queriesDescriptor() {
        return new MapStateDescriptor<>("queries", Types.STRING, InvalidationFormats.QUERY.typeInfo());
    }

    /** State: records. A key is the collection, a line feed and the record id. */
    static MapStateDescriptor<String, CellSnapshot.RecordSnapshot> recordsDescriptor() {
        return new MapStateDescriptor<>("records", Types.STRING, InvalidationFormats.RECORD.typeInfo());
    }

    /**
     * State: time of a query's newest registration, if the query was registered more than once. Keys are those of
     * {@link #queriesDescriptor}.
     */
    static MapStateDescriptor<String, Long> renewalsDescriptor() {
        return new MapStateDescriptor<>("renewals", Types.STRING, Types.LONG);
    }

    static ValueStateDescriptor<Long> horizonDescriptor() {
        return new ValueStateDescriptor<>("horizon", Types.LONG);
    }

    /**
     * A cell with its unstored changes. A query is matched since its first registration, even if it is registered
     * again, because results of all its registrations may be cached. Its matches carry the newest registration.
     */
    private static final class JournaledCell implements CellJournal {
        private final MatchingCell matching;
        // By subscription: text of the registration since which the query is matched.
        private final Map<String, String> since = new HashMap<>();
        // Newest registration, by that text.
        private final Map<String, QueryId> newest = new HashMap<>();
        private final Set<String> changedQueries = new HashSet<>();
        private final Map<String, Set<String>> changedRecords = new HashMap<>();
        private int unstored;

        JournaledCell(InvalidationSettings settings, CellSnapshot snapshot, Map<String, Long> renewals) {
            matching = MatchingCell.restore(settings.cell(), snapshot, this);
            for (String query : snapshot.queries().keySet()) {
                QueryId first = QueryId.of(query);
                since.put(first.subscription(), query);
                newest.put(query, first.at(renewals.getOrDefault(query, first.registeredMillis())));
            }
        }

        /** Returns the newest registration of a query, or null if there is none. */
        QueryId newest(String subscription) {
            return newest.get(since.get(subscription));
        }

        /** The subscriptions of a collection's queries. */
        List<String> queriesOf(String collection) {
            return since.keySet().stream()
                    .filter(s -> s.startsWith(collection + '/'))
                    .toList();
        }

        /** Returns whether a registration repeats a query that is matched already. */
        boolean isRenewal(QueryTerms terms) {
            String former = since.get(terms.id().subscription());
            return former != null
                    && matching.query(former).filter(terms.query()::asksTheSame).isPresent();
        }

        /** Starts matching from a registration. */
        void watch(QueryId id) {
            forget(id.subscription());
            since.put(id.subscription(), id.text());
            newest.put(id.text(), id);
        }

        void forget(String subscription) {
            String former = since.remove(subscription);
            if (former != null) {
                newest.remove(former);
                matching.unregister(former);
            }
        }

        @Override
        public void query(String queryKey) {
            unstored += changedQueries.add(queryKey) ? 1 : 0;
        }

        @Override
        public void record(String collection, String recordId) {
            boolean isNew = changedRecords
                    .computeIfAbsent(collection, c -> new HashSet<>())
                    .add(recordId);
            unstored += isNew ? 1 : 0;
        }
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        grid = settings.grid();
        cells = new HashMap<>();
        queries = context.getKeyedStateStore().getMapState(queriesDescriptor());
        records = context.getKeyedStateStore().getMapState(recordsDescriptor());
        renewals = context.getKeyedStateStore().getMapState(renewalsDescriptor());
        horizon = context.getKeyedStateStore().getState(horizonDescriptor());
        if (context.isRestored()) {
            // Every cell with state has a horizon.
            for (Integer key : KeyGroups.keysWith(this.<Integer>getKeyedStateBackend(), horizonDescriptor())) {
                setCurrentKey(key);
                Map<String, Long> renewed = new HashMap<>();
                for (Map.Entry<String, Long> renewal : renewals.entries()) {
                    renewed.put(renewal.getKey(), renewal.getValue());
                }
                cells.put(key, new JournaledCell(settings, stored(), renewed));
            }
        }
    }

    private CellSnapshot stored() throws Exception {
        Map<String, RegisteredQuery> storedQueries = new HashMap<>();
        for (Map.Entry<String, RegisteredQuery> query : queries.entries()) {
            storedQueries.put(query.getKey(), query.getValue());
        }
        List<CellSnapshot.RecordSnapshot> storedRecords = new ArrayList<>();
        records.values().forEach(storedRecords::add);
        storedRecords.sort(Comparator.comparingLong(CellSnapshot.RecordSnapshot::writtenAtMillis));
        return new CellSnapshot(horizon.value(), storedQueries, storedRecords);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        for (Map.Entry<Integer, JournaledCell> cell : cells.entrySet()) {
            setCurrentKey(cell.getKey());
            store(cell.getValue());
        }
    }

    private void store(JournaledCell cell) throws Exception {
        for (String key : cell.changedQueries) {
            Optional<RegisteredQuery> query = cell.matching.query(key);
            if (query.isPresent()) {
                queries.put(key, query.get());
            } else {
                queries.remove(key);
                renewals.remove(key);
            }
        }
        for (Map.Entry<String, Set<String>> changed : cell.changedRecords.entrySet()) {
            for (String id : changed.getValue()) {
                String key = changed.getKey() + '\n' + id;
                Optional<CellSnapshot.RecordSnapshot> record = cell.matching.record(changed.getKey(), id);
                if (record.isPresent()) {
                    records.put(key, record.get());
                } else {
                    records.remove(key);
                }
            }
        }
        cell.changedQueries.clear();
        cell.changedRecords.clear();
        cell.unstored = 0;
        horizon.update(cell.matching.horizonMillis());
    }

    @Override
    public void open() throws Exception {
        super.open();
        isolation = new Isolation(getMetricGroup());
        counts = new InvalidationMetrics(getMetricGroup());
        MetricGroup group = getMetricGroup().addGroup(InvalidationMetrics.GROUP);
        gauge(group, "queries", cell -> cell.matching.queries());
        gauge(group, "records", cell -> cell.matching.records());
        gauge(group, "tests", cell -> cell.matching.tests());
    }

    /**
     * Registers a gauge of a figure's sum over all cells. Another thread reads the gauge, so its value may be slightly
     * outdated.
     */
    private void gauge(MetricGroup group, String name, ToLongFunction<JournaledCell> figure) {
        Gauge<Long> gauge =
                () -> List.copyOf(cells.values()).stream().mapToLong(figure).sum();
        group.gauge(name, gauge);
    }

    @Override
    public void processElement(StreamRecord<CellInput> element) throws Exception {
        CellInput input = element.getValue();
        JournaledCell cell = cells.computeIfAbsent(
                (Integer) getCurrentKey(),
                key -> new JournaledCell(settings, new CellSnapshot(Long.MIN_VALUE, Map.of(), List.of()), Map.of()));
        if (input instanceof CellInput.CellWrite write) {
            String collection = write.image().collection();
            if (!isolation.run(collection, () -> apply(cell, write))) {
                long atMillis = write.image().writtenAtMillis();
                cell.queriesOf(collection).forEach(query -> giveUp(cell, query, atMillis));
            }
        } else if (input instanceof CellInput.Register register) {
            QueryTerms terms = register.terms();
            String query = terms.id().subscription();
            if (!isolation.run(query, () -> register(cell, register.cell() / grid.columns(), terms))) {
                giveUp(cell, query, terms.registeredMillis());
            }
        } else {
            end(cell, ((CellInput.End) input).subscription());
        }
        if (cell.unstored >= MOST_UNSTORED) {
            store(cell);
        }
    }

    /** Stops matching a query and reports its result as unknown, since a change may have been missed. */
    private void giveUp(JournaledCell cell, String subscription, long atMillis) {
        QueryId unknown = cell.newest(subscription);
        if (unknown != null) {
            cell.forget(subscription);
            output.collect(new StreamRecord<>(new ResultInput.Unknown(unknown, atMillis)));
        }
    }

    private void apply(JournaledCell cell, CellInput.CellWrite write) {
        AfterImage image = write.image();
        WriteOutcome outcome = cell.matching.apply(image, match -> emit(cell, match));
        if (outcome == WriteOutcome.STALE) {
            counts.count(Count.STALE_WRITES);
            return;
        }
        counts.count(Count.APPLIED_WRITES);
        // All columns get the write, but only one emits the notification.
        if (write.cell() % grid.columns() == 0) {
            int slash = image.collection().indexOf('/');
            output.collect(
                    RECORDS,
                    new StreamRecord<>(
                            Notification.of(
                                    new QueryId(
                                            image.collection().substring(0, slash),
                                            image.collection().substring(slash + 1),
                                            image.recordId(),
                                            0),
                                    CachedKind.RECORD,
                                    image.image().isPresent() ? ResultChange.CHANGED : ResultChange.REMOVED,
                                    image.recordId(),
                                    image.version(),
                                    image.writtenAtMillis(),
                                    settings.rule(Representation.OBJECT_LIST)),
                            image.writtenAtMillis()));
        }
    }

    private void register(JournaledCell cell, int row, QueryTerms terms) throws Exception {
        QueryId id = terms.id();
        QueryId former = cell.newest(id.subscription());
        if (former != null && former.registeredMillis() >= id.registeredMillis()) {
            return;
        }
        boolean isRenewal = cell.isRenewal(terms);
        if (isRenewal) {
            String since = cell.since.get(id.subscription());
            cell.newest.put(since, id);
            renewals.put(since, id.registeredMillis());
        } else {
            cell.watch(id);
        }
        output.collect(new StreamRecord<>(new ResultInput.Registered(terms)));
        Map<String, Long> versions = new HashMap<>();
        for (AfterImage record : terms.result()) {
            if (grid.row(record.collection(), record.recordId()) == row) {
                versions.put(record.recordId(), record.version());
            }
        }
        Registration registration =
                new Registration(cell.since.get(id.subscription()), terms.query(), versions, terms.evaluatedMillis());
        RegistrationOutcome outcome = isRenewal
                ? cell.matching.renew(registration, match -> emit(cell, match))
                : cell.matching.register(registration, match -> emit(cell, match));
        if (outcome == RegistrationOutcome.EVALUATE_AGAIN) {
            output.collect(new StreamRecord<>(new ResultInput.Unknown(id, terms.registeredMillis())));
        }
    }

    private void end(JournaledCell cell, String subscription) {
        QueryId ended = cell.newest(subscription);
        if (ended != null) {
            cell.forget(subscription);
            output.collect(new StreamRecord<>(new ResultInput.Ended(ended)));
        }
    }

    private void emit(JournaledCell cell, Match match) {
        if (match.kind() == ChangeKind.UNKNOWN) {
            output.collect(new StreamRecord<>(new ResultInput.Unknown(
                    cell.newest.get(match.queryKey()), match.write().writtenAtMillis())));
            return;
        }
        boolean isWindowed = cell.matching
                .query(match.queryKey())
                .map(RegisteredQuery::isWindowed)
                .orElse(true);
        AfterImage image = match.write();
        AfterImage sent = isWindowed
                ? image
                : AfterImage.deletion(image.collection(), image.recordId(), image.version(), image.writtenAtMillis());
        QueryId id = cell.newest.get(match.queryKey());
        output.collect(new StreamRecord<>(new ResultInput.Matched(id, match.kind(), sent)));
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        for (JournaledCell cell : cells.values()) {
            cell.matching.forget(mark.getTimestamp());
        }
        super.processWatermark(mark);
    }
}
