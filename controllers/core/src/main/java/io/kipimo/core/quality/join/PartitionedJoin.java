package io.kipimo.core.quality.join;

import io.kipimo.schemas.codec.EventHead;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntToLongFunction;

/**
 * Joins the events of some partitions of a log, where all events of a query are in one partition. Each partition has an
 * engine and an event time of its own, so that both can move to another subtask. Mutable, for one thread.
 */
public final class PartitionedJoin implements JoinProgress {
    private final Function<QueryStore, JoinEngine> engines;
    private final BacklogSampling.BacklogSettings sampling;
    private final SortedMap<Integer, JoinPart> parts = new TreeMap<>();
    private long eventTimeMillis = Long.MIN_VALUE;

    /** Last used part; {@code partOf} is called for every event. */
    private int lastPartition = -1;

    private JoinPart lastPart;

    private record JoinPart(QueryStore store, JoinEngine engine, ForgottenQueries forgotten, BacklogSampling backlog) {}

    /**
     * State of a partition; it never changes.
     *
     * @param eventTimeMillis event time of the partition, epoch milliseconds
     * @param segments the partition's queries, each in one segment
     * @param forgotten queries that were removed
     * @param backlog state of the sampling that chooses the measured queries
     */
    public record PartitionSnapshot(
            int partition,
            long eventTimeMillis,
            List<QuerySegment> segments,
            List<ForgottenQueries.ForgottenPart> forgotten,
            BacklogSampling.BacklogState backlog) {}

    /**
     * A join that measures every query.
     *
     * @param engines makes an engine over a store
     */
    public PartitionedJoin(Function<QueryStore, JoinEngine> engines) {
        this(engines, BacklogSampling.BacklogSettings.OFF);
    }

    /**
     * @param engines makes an engine over a store
     * @param sampling of the queries while the job is behind
     */
    public PartitionedJoin(Function<QueryStore, JoinEngine> engines, BacklogSampling.BacklogSettings sampling) {
        this.engines = engines;
        this.sampling = sampling;
    }

    /** The sampling that chooses which queries of a partition are measured while the job is behind. */
    public BacklogSampling backlog(int partition) {
        return partOf(partition).backlog();
    }

    /** Whether an event of a partition need not be read, because {@link JoinEngine} would leave it out. */
    public boolean isSampledOut(int partition, EventHead head) {
        return partOf(partition).engine().isSampledOut(head.key(), head.startedAtMillis(), head.isQueryStart());
    }

    /** Greatest weight of a measurement of a query that starts now, in any partition; 1: all are measured. */
    public int greatestWeight() {
        int greatest = 1;
        for (JoinPart part : parts.values()) {
            greatest = Math.max(greatest, part.backlog().weight());
        }
        return greatest;
    }

    /**
     * Takes one event of a partition.
     *
     * @return whether the event's service is known; events of unknown services are ignored
     */
    public boolean accept(int partition, SampledEvent event) {
        return partOf(partition).engine().accept(event);
    }

    /** Advances the event time of all partitions, as {@link JoinEngine#advance} does. */
    public void advance(long millis) {
        eventTimeMillis = Math.max(eventTimeMillis, millis);
        for (JoinPart part : parts.values()) {
            part.engine().advance(millis);
        }
    }

    /** Continues a partition's event time. Call it before its queries are restored. */
    public void restore(int partition, long eventTimeMillis) {
        JoinPart part = partOf(partition);
        part.engine().advance(eventTimeMillis);
        part.forgotten().beginAfter(eventTimeMillis);
    }

    /** Continues a stored query of a partition. */
    public void restore(int partition, QueryKey key, OpenQuery query) {
        JoinPart part = partOf(partition);
        part.store().add(key, query);
        part.engine().restore(key, query);
    }

    /**
     * Continues with queries that were removed. Call it after {@link #restore(int, long)}. State of an earlier version
     * has no such queries, so this is then not called.
     */
    public void restore(int partition, List<ForgottenQueries.ForgottenPart> forgotten) {
        partOf(partition).forgotten().restore(forgotten);
    }

    /**
     * The state of all partitions so far. Each partition also decides now which of its later queries are measured.
     *
     * @param reachedMillis event time that a partition has reached, epoch milliseconds
     */
    public List<PartitionSnapshot> snapshot(IntToLongFunction reachedMillis) {
        parts.forEach((partition, part) -> part.backlog().decide(reachedMillis.applyAsLong(partition)));
        return parts.entrySet().stream()
                .map(e -> new PartitionSnapshot(
                        e.getKey(),
                        e.getValue().engine().eventTimeMillis(),
                        e.getValue().store().snapshot(),
                        e.getValue().forgotten().snapshot(),
                        e.getValue().backlog().state()))
                .toList();
    }

    /** Number of queries that are kept, in all partitions. */
    public long queries() {
        long queries = 0;
        for (JoinPart part : parts.values()) {
            queries += part.store().size();
        }
        return queries;
    }

    /** Event time of the newest partition, so that time never goes back downstream. */
    @Override
    public long eventTimeMillis() {
        long newest = eventTimeMillis;
        for (JoinPart part : parts.values()) {
            newest = Math.max(newest, part.engine().eventTimeMillis());
        }
        return newest;
    }

    @Override
    public long nextDueMillis() {
        long next = Long.MAX_VALUE;
        for (JoinPart part : parts.values()) {
            next = Math.min(next, part.engine().nextDueMillis());
        }
        return next;
    }

    @Override
    public long lastSettledMillis() {
        long last = Long.MIN_VALUE;
        for (JoinPart part : parts.values()) {
            last = Math.max(last, part.engine().lastSettledMillis());
        }
        return last;
    }

    private JoinPart partOf(int partition) {
        if (partition != lastPartition) {
            lastPart = parts.computeIfAbsent(partition, p -> newPart());
            lastPartition = partition;
        }
        return lastPart;
    }

    private JoinPart newPart() {
        QueryStore store = new QueryStore();
        JoinEngine engine = engines.apply(store);
        ForgottenQueries forgotten = new ForgottenQueries();
        engine.remember(forgotten);
        BacklogSampling backlog = new BacklogSampling(sampling);
        engine.sample(backlog);
        engine.advance(eventTimeMillis);
        return new JoinPart(store, engine, forgotten, backlog);
    }
}
