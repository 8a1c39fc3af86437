package io.kipimo.kafka;

import io.kipimo.operators.quality.LogPartitions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

/**
 * Assigns each split, which is one Kafka partition, to the subtask that owns the partition, regardless of the reader
 * that the enumerator chose. A split that a live reader has is not assigned again. Splits of a shared topic go to all
 * readers.
 *
 * <p>Splits are held until all readers have registered and the first discovery of partitions is over, so that each
 * reader gets all its splits at once. If a reader got a split later, the events that it had read by then would have
 * advanced event time, and a backlog in that split would be late. The split that every reader gets is held, too. Alone,
 * it would make its reader idle, and lasting idleness ends the open queries.
 *
 * <p>Only the coordinator's thread uses it.
 */
final class OwnedPartitionsContext implements SplitEnumeratorContext<KafkaPartitionSplit> {
    private final SplitEnumeratorContext<KafkaPartitionSplit> context;

    /** Splits without a reader, by id. */
    private final Map<String, KafkaPartitionSplit> held = new LinkedHashMap<>();

    /** Subtask that has a split, by the split's id. */
    private final Map<String, Integer> assigned = new HashMap<>();

    private final Optional<KafkaPartitionSplit> everywhere;
    private final String sharedTopic;
    private final LogPartitions partitions;
    private final int maxParallelism;

    /** Assigned splits of the shared topic, by id, in the form in which new readers get them. */
    private final Map<String, KafkaPartitionSplit> shared = new LinkedHashMap<>();

    /** Readers that have registered and got no split yet. */
    private final Set<Integer> starting = new HashSet<>();

    /** Readers that get no more splits after the held ones: those of a bounded source. */
    private final Set<Integer> ending = new HashSet<>();

    /** Asynchronous calls of the enumerator that have no result yet. */
    private final Set<Object> awaited = new HashSet<>();

    /**
     * @param everywhere a split that every reader gets with its first splits and reads from its beginning; empty: none
     * @param sharedTopic a topic that every reader reads; after a restore it continues from the checkpoint
     * @param partitions partitions of the other topics
     * @param maxParallelism maximum parallelism of the job
     */
    OwnedPartitionsContext(
            SplitEnumeratorContext<KafkaPartitionSplit> context,
            Optional<KafkaPartitionSplit> everywhere,
            String sharedTopic,
            LogPartitions partitions,
            int maxParallelism) {
        this.context = context;
        this.everywhere = everywhere;
        this.sharedTopic = sharedTopic;
        this.partitions = partitions;
        this.maxParallelism = maxParallelism;
    }

    @Override
    public void assignSplits(SplitsAssignment<KafkaPartitionSplit> assignment) {
        assignment.assignment().values().forEach(this::hold);
    }

    /** Holds splits until {@link #assignHeld}. */
    void hold(Collection<KafkaPartitionSplit> splits) {
        for (KafkaPartitionSplit split : splits) {
            String id = split.splitId();
            boolean isAssigned = assigned.containsKey(id) || shared.containsKey(id);
            boolean isEverywhere =
                    everywhere.filter(one -> id.equals(one.splitId())).isPresent();
            if (!isAssigned && !isEverywhere) {
                held.put(id, split);
            }
        }
    }

    private boolean isShared(KafkaPartitionSplit split) {
        return split.getTopic().equals(sharedTopic);
    }

    /** Registers a reader. Splits that it brings from a checkpoint are held for their owners. */
    void register(int subtask) {
        starting.add(subtask);
        hold(broughtBy(registeredReaders().get(subtask)));
    }

    private static List<KafkaPartitionSplit> broughtBy(ReaderInfo reader) {
        return reader.getReportedSplitsOnRegistration();
    }

    /**
     * Returns the shared splits that starting readers brought from a checkpoint, by id. If several readers brought a
     * split, it is the one with the least offset.
     */
    private Map<String, KafkaPartitionSplit> brought() {
        Map<String, KafkaPartitionSplit> earliest = new HashMap<>();
        for (ReaderInfo reader : registeredReaders().values()) {
            for (KafkaPartitionSplit split : broughtBy(reader)) {
                if (isShared(split) && starting.contains(reader.getSubtaskId())) {
                    earliest.merge(
                            split.splitId(), split, (a, b) -> a.getStartingOffset() <= b.getStartingOffset() ? a : b);
                }
            }
        }
        return earliest;
    }

    /** Forgets a lost reader and the assignment of its splits. */
    void lose(int subtask) {
        assigned.values().removeIf(owner -> owner == subtask);
        starting.remove(subtask);
    }

    /** Assigns the held splits if all readers have registered and no call of the enumerator is pending. */
    void assignHeld() {
        boolean areOwnersReady = registeredReaders().size() >= currentParallelism();
        if (!areOwnersReady || !awaited.isEmpty()) {
            return;
        }
        held.putAll(brought());
        List<KafkaPartitionSplit> newlyShared = new ArrayList<>();
        for (KafkaPartitionSplit split : held.values()) {
            if (isShared(split) && shared.put(split.splitId(), split) == null) {
                newlyShared.add(split);
            }
        }
        Map<Integer, List<KafkaPartitionSplit>> ready = new HashMap<>();
        for (int reader : registeredReaders().keySet()) {
            List<KafkaPartitionSplit> splits = new ArrayList<>();
            if (starting.remove(reader)) {
                everywhere.ifPresent(splits::add);
                splits.addAll(shared.values());
            } else {
                splits.addAll(newlyShared);
            }
            ready.put(reader, splits);
        }
        for (KafkaPartitionSplit split : held.values()) {
            if (!isShared(split)) {
                int owner = partitions.owner(split.getPartition(), currentParallelism(), maxParallelism);
                ready.get(owner).add(split);
                assigned.put(split.splitId(), owner);
            }
        }
        held.clear();
        ready.values().removeIf(List::isEmpty);
        if (!ready.isEmpty()) {
            context.assignSplits(new SplitsAssignment<>(ready));
        }
        ending.forEach(context::signalNoMoreSplits);
        ending.clear();
    }

    /** Returns the enumerator's state with held splits marked as unassigned. */
    KafkaSourceEnumState withHeld(KafkaSourceEnumState state) {
        Map<String, KafkaPartitionSplit> unassigned = new LinkedHashMap<>();
        state.unassignedSplits().forEach(split -> unassigned.put(split.splitId(), split));
        unassigned.putAll(held);
        unassigned.putAll(brought());
        return new KafkaSourceEnumState(
                state.assignedSplits().stream()
                        .filter(split -> !unassigned.containsKey(split.splitId()))
                        .toList(),
                unassigned.values(),
                state.initialDiscoveryFinished());
    }

    @Override
    public void signalNoMoreSplits(int subtask) {
        // It gets the held ones first.
        ending.add(subtask);
    }

    @Override
    public SplitEnumeratorMetricGroup metricGroup() {
        return context.metricGroup();
    }

    @Override
    public void sendEventToSourceReader(int subtask, SourceEvent event) {
        context.sendEventToSourceReader(subtask, event);
    }

    @Override
    public int currentParallelism() {
        return context.currentParallelism();
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
        return context.registeredReaders();
    }

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
        context.callAsync(callable, awaited(handler));
    }

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler, long delay, long period) {
        context.callAsync(callable, awaited(handler), delay, period);
    }

    private <T> BiConsumer<T, Throwable> awaited(BiConsumer<T, Throwable> handler) {
        Object call = new Object();
        awaited.add(call);
        return (result, failure) -> {
            handler.accept(result, failure);
            awaited.remove(call);
            assignHeld();
        };
    }

    @Override
    public void runInCoordinatorThread(Runnable runnable) {
        context.runInCoordinatorThread(runnable);
    }

    @Override
    public void setIsProcessingBacklog(boolean isProcessingBacklog) {
        context.setIsProcessingBacklog(isProcessingBacklog);
    }
}
