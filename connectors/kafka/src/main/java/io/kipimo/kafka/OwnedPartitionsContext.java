package io.kipimo.kafka;

import io.kipimo.operators.quality.LogPartitions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

/**
 * Assigns each split to the owner of its partition, whatever reader the enumerator chose, as soon
 * as the owner has registered. A split that a live reader has is not assigned again. Used by the
 * coordinator's thread only.
 */
final class OwnedPartitionsContext implements SplitEnumeratorContext<KafkaPartitionSplit> {
    private final SplitEnumeratorContext<KafkaPartitionSplit> context;

    /** Splits without a reader, by id. */
    private final Map<String, KafkaPartitionSplit> pending = new LinkedHashMap<>();

    /** Subtask that has a split, by the split's id. */
    private final Map<String, Integer> assigned = new HashMap<>();

    private final KafkaPartitionSplit everywhere;

    /**
     * @param everywhere a split for every reader, as it starts
     */
    OwnedPartitionsContext(
            SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaPartitionSplit everywhere) {
        this.context = context;
        this.everywhere = everywhere;
    }

    @Override
    public void assignSplits(SplitsAssignment<KafkaPartitionSplit> assignment) {
        assignment.assignment().values().forEach(this::offer);
    }

    /** Assigns splits to their owners, now or when these register. */
    void offer(Collection<KafkaPartitionSplit> splits) {
        for (KafkaPartitionSplit split : splits) {
            boolean isEverywhere = split.splitId().equals(everywhere.splitId());
            if (!isEverywhere && !assigned.containsKey(split.splitId())) {
                pending.put(split.splitId(), split);
            }
        }
        assignPending();
    }

    /** A reader has registered. Splits that it brings from a checkpoint go to their owners. */
    void register(int subtask) {
        ReaderInfo reader = context.registeredReaders().get(subtask);
        context.assignSplit(everywhere, subtask);
        offer(reader.getReportedSplitsOnRegistration());
    }

    /** A reader was lost, with its splits. */
    void lose(int subtask) {
        assigned.values().removeIf(owner -> owner == subtask);
    }

    private void assignPending() {
        Map<Integer, List<KafkaPartitionSplit>> ready = new HashMap<>();
        for (KafkaPartitionSplit split : List.copyOf(pending.values())) {
            int owner = LogPartitions.owner(split.getPartition(), currentParallelism());
            if (context.registeredReaders().containsKey(owner)) {
                ready.computeIfAbsent(owner, o -> new ArrayList<>()).add(split);
                pending.remove(split.splitId());
                assigned.put(split.splitId(), owner);
            }
        }
        if (!ready.isEmpty()) {
            context.assignSplits(new SplitsAssignment<>(ready));
        }
    }

    @Override
    public void signalNoMoreSplits(int subtask) {
        context.signalNoMoreSplits(subtask);
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
        context.callAsync(callable, handler);
    }

    @Override
    public <T> void callAsync(
            Callable<T> callable, BiConsumer<T, Throwable> handler, long delay, long period) {
        context.callAsync(callable, handler, delay, period);
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
