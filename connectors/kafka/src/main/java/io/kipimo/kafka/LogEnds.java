package io.kipimo.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** Tells where partitions end. */
interface LogEnds extends AutoCloseable {
    /**
     * Where a reader may be in a partition.
     *
     * @param leastPosition a reader that has fetched nothing is at this offset or behind it; 0 if not asked for
     * @param endOffset offset after the last record, open transactions included
     */
    record LogEnd(long leastPosition, long endOffset) {}

    /**
     * Finds out in the background; an answer fails if its broker does not give it in time.
     *
     * @param unfetched those of the partitions of which the reader has fetched nothing
     */
    Map<TopicPartition, CompletableFuture<LogEnd>> ask(
            Collection<TopicPartition> partitions, Set<TopicPartition> unfetched);

    @Override
    void close();

    /** Asks the brokers. */
    static LogEnds of(Admin admin, String groupId) {
        return new Asked(admin, groupId);
    }

    /** @param groupId the reader begins at what this group has committed, or else at the beginning */
    record Asked(Admin admin, String groupId) implements LogEnds {
        private static final int TIMEOUT_MILLIS = 5_000;

        @Override
        public Map<TopicPartition, CompletableFuture<LogEnd>> ask(
                Collection<TopicPartition> partitions, Set<TopicPartition> unfetched) {
            Map<TopicPartition, CompletableFuture<LogEnd>> answers = new HashMap<>();
            ListOffsetsResult ends = offsets(partitions, OffsetSpec.latest());
            Map<TopicPartition, CompletableFuture<Long>> least = unfetched.isEmpty() ? Map.of() : least(unfetched);
            for (TopicPartition partition : partitions) {
                answers.put(
                        partition,
                        least.getOrDefault(partition, CompletableFuture.completedFuture(0L))
                                .thenCombine(offset(ends, partition), LogEnd::new));
            }
            return answers;
        }

        /** What was committed, or what retention has left. */
        private Map<TopicPartition, CompletableFuture<Long>> least(Set<TopicPartition> unfetched) {
            ListOffsetsResult beginnings = offsets(unfetched, OffsetSpec.earliest());
            CompletableFuture<Map<TopicPartition, OffsetAndMetadata>> committed = admin.listConsumerGroupOffsets(
                            groupId, new ListConsumerGroupOffsetsOptions().timeoutMs(TIMEOUT_MILLIS))
                    .partitionsToOffsetAndMetadata()
                    .toCompletionStage()
                    .toCompletableFuture();
            return unfetched.stream()
                    .collect(Collectors.toMap(Function.identity(), partition -> offset(beginnings, partition)
                            .thenCombine(committed, (beginning, all) -> {
                                OffsetAndMetadata own = all.get(partition);
                                return own == null ? beginning : Math.max(beginning, own.offset());
                            })));
        }

        /** An open transaction holds back readers of committed records, but it is in the log. */
        private ListOffsetsResult offsets(Collection<TopicPartition> partitions, OffsetSpec which) {
            Map<TopicPartition, OffsetSpec> question =
                    partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> which));
            return admin.listOffsets(
                    question, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED).timeoutMs(TIMEOUT_MILLIS));
        }

        private static CompletableFuture<Long> offset(ListOffsetsResult found, TopicPartition partition) {
            return found.partitionResult(partition)
                    .toCompletionStage()
                    .thenApply(ListOffsetsResult.ListOffsetsResultInfo::offset)
                    .toCompletableFuture();
        }

        @Override
        public void close() {
            admin.close(Duration.ZERO);
        }
    }
}
