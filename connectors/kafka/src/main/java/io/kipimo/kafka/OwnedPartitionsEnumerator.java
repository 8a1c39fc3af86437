package io.kipimo.kafka;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/**
 * Combines Kafka's enumerator, which finds the partitions, with an {@link OwnedPartitionsContext}, which assigns them.
 * The context also assigns partitions that readers bring from a checkpoint, and those of lost readers.
 */
record OwnedPartitionsEnumerator(
        SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> enumerator, OwnedPartitionsContext context)
        implements SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> {
    @Override
    public void start() {
        enumerator.start();
    }

    @Override
    public void addReader(int subtask) {
        context.register(subtask);
        enumerator.addReader(subtask);
        context.assignHeld();
    }

    @Override
    public void addSplitsBack(List<KafkaPartitionSplit> splits, int subtask) {
        context.lose(subtask);
        context.hold(splits);
        context.assignHeld();
    }

    @Override
    public void handleSplitRequest(int subtask, String host) {
        enumerator.handleSplitRequest(subtask, host);
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        enumerator.handleSourceEvent(subtask, event);
    }

    @Override
    public KafkaSourceEnumState snapshotState(long checkpoint) throws Exception {
        return context.withHeld(enumerator.snapshotState(checkpoint));
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) throws Exception {
        enumerator.notifyCheckpointComplete(checkpoint);
    }

    @Override
    public void close() throws IOException {
        enumerator.close();
    }
}
