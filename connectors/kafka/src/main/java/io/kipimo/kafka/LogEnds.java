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

/** Asks where partitions of the log end. */
interface LogEnds extends AutoCloseable {
    /**
     * Offsets between which a reader may be in a partition.
     *
     * @param leastPosition least offset at which a reader that has fetched nothing can be; 0 if it was not asked for
     * @param endOffset offset after the last record, including records of open transactions
     */
    record LogEnd(long leastPosition, long endOffset) {}

    /**
     * Asks in the background. A future fails if its broker does not answer in time.
     *
     * @param unfetched those of {@code partitions} from which the reader has fetched nothing
     */
    Map<TopicPartition, CompletableFuture<LogEnd>> ask(
            Collection<TopicPartition> partitions, Set<TopicPartition> unfetched);

    @Override
    void close();

    /** Returns an implementation that asks the brokers. */
    static LogEnds of(Admin admin, String groupId) {
        return new Asked(admin, groupId);
    }

    /**
     * @param groupId consumer group of the reader, which starts at the group's committed offsets, or else at the
     *     beginning
     */
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

        /**
         * Returns the offset at which a reader starts: the committed offset, or the first that retention has left, if
         * later.
         */
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

        /**
         * Asks for offsets including open transactions: these hold back readers of committed records, but they are in
         * the log.
         */
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
