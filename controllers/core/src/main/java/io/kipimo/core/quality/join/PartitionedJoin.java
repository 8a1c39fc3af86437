package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A join of the events of some partitions of a log, where all events of a query are in one partition. Each partition
 * has an engine and an event time of its own, so that both can move to another subtask. Mutable, for one thread.
 */
public final class PartitionedJoin implements JoinProgress {
    private final Function<QueryStore, JoinEngine> engines;
    private final SortedMap<Integer, Part> parts = new TreeMap<>();
    private long eventTimeMillis = Long.MIN_VALUE;

    /** Last used part; {@code partOf} is called for every event. */
    private int lastPartition = -1;

    private Part lastPart;

    private record Part(SnapshotQueryStore store, JoinEngine engine, ForgottenQueries forgotten) {}

    /**
     * State of a partition; it never changes.
     *
     * @param eventTimeMillis event time of the partition, epoch milliseconds
     * @param segments its queries, each in one of them
     * @param forgotten queries that were removed
     */
    public record PartitionSnapshot(
            int partition, long eventTimeMillis, List<QuerySegment> segments, List<ForgottenQueries.Part> forgotten) {}

    /** @param engines makes an engine over a store */
    public PartitionedJoin(Function<QueryStore, JoinEngine> engines) {
        this.engines = engines;
    }

    /**
     * Takes one event of a partition.
     *
     * @return whether the event's service is known; events of unknown services are ignored
     */
    public boolean accept(int partition, SampledEvent event) {
        return partOf(partition).engine().accept(event);
    }

    /** As {@link JoinEngine#advance}, for all partitions. */
    public void advance(long millis) {
        eventTimeMillis = Math.max(eventTimeMillis, millis);
        for (Part part : parts.values()) {
            part.engine().advance(millis);
        }
    }

    /** Continues a partition's event time. Call it before its queries are restored. */
    public void restore(int partition, long eventTimeMillis) {
        Part part = partOf(partition);
        part.engine().advance(eventTimeMillis);
        part.forgotten().beginAfter(eventTimeMillis);
    }

    /** Continues a query. */
    public void restore(int partition, QueryKey key, OpenQuery query) {
        Part part = partOf(partition);
        part.store().keep(key, query, true);
        part.engine().restore(key, query);
    }

    /**
     * Continues with queries that were removed. Call it after {@link #restore(int, long)}; without it, an earlier
     * version wrote the state.
     */
    public void restore(int partition, List<ForgottenQueries.Part> forgotten) {
        partOf(partition).forgotten().restore(forgotten);
    }

    /** The state of all partitions so far. */
    public List<PartitionSnapshot> snapshot() {
        return parts.entrySet().stream()
                .map(e -> new PartitionSnapshot(
                        e.getKey(),
                        e.getValue().engine().eventTimeMillis(),
                        e.getValue().store().snapshot(),
                        e.getValue().forgotten().snapshot()))
                .toList();
    }

    /** Event time of the newest partition, so that time never goes back downstream. */
    @Override
    public long eventTimeMillis() {
        long newest = eventTimeMillis;
        for (Part part : parts.values()) {
            newest = Math.max(newest, part.engine().eventTimeMillis());
        }
        return newest;
    }

    @Override
    public long nextDueMillis() {
        long next = Long.MAX_VALUE;
        for (Part part : parts.values()) {
            next = Math.min(next, part.engine().nextDueMillis());
        }
        return next;
    }

    @Override
    public long lastSettledMillis() {
        long last = Long.MIN_VALUE;
        for (Part part : parts.values()) {
            last = Math.max(last, part.engine().lastSettledMillis());
        }
        return last;
    }

    private Part partOf(int partition) {
        if (partition != lastPartition) {
            lastPart = parts.computeIfAbsent(partition, p -> newPart());
            lastPartition = partition;
        }
        return lastPart;
    }

    private Part newPart() {
        SnapshotQueryStore store = new SnapshotQueryStore();
        JoinEngine engine = engines.apply(store);
        ForgottenQueries forgotten = new ForgottenQueries();
        engine.remember(forgotten);
        engine.advance(eventTimeMillis);
        return new Part(store, engine, forgotten);
    }
}
