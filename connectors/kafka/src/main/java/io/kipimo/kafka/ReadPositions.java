package io.kipimo.kafka;

import java.io.IOException;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Tracks the position of one source reader in each of its partitions. Offsets of records alone do not show it: the last
 * offsets of a partition may belong to markers of transactions, to aborted records, or to records that compaction
 * removed. The client skips these and reports its position after them. Records that it fetched wait in a queue until
 * the reader passes them on. So the client's position counts only once all its records have left the queue.
 *
 * <p>Each reader has a copy, which is handed to its client in the client's properties. The client's thread writes what
 * was fetched; the reader's thread writes everything else.
 */
final class ReadPositions implements Serializable {
    /** The position in a partition of which nothing was read. */
    static final long UNKNOWN = -1;

    private static final String PROPERTY = "kipimo.read-positions";

    private final Map<TopicPartition, Fetched> fetched = new ConcurrentHashMap<>();
    private final Map<TopicPartition, PassedOn> passedOn = new HashMap<>();

    /** Entry of the last record's partition, cached because a record mostly follows one of the same partition. */
    private PassedOn last = new PassedOn("", -1);

    /**
     * Progress of the client in fetching a partition.
     *
     * @param afterRecords offset after the last record
     * @param next offset that the client fetches next
     */
    private record Fetched(long afterRecords, long next) implements Serializable {}

    private static final class PassedOn implements Serializable {
        private final String topic;
        private final int partition;
        private long next = UNKNOWN;

        PassedOn(String topic, int partition) {
            this.topic = topic;
            this.partition = partition;
        }
    }

    /** Lets the clients with these properties report what they fetch. */
    void follow(Properties consumer) {
        consumer.put(PROPERTY, this);
        consumer.put(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, ClientFollower.class.getName());
    }

    /** Returns a deserializer that also notes which records the reader passes on. */
    <T> KafkaRecordDeserializationSchema<T> following(KafkaRecordDeserializationSchema<T> records) {
        return new FollowedRecords<>(records, this);
    }

    void fetch(ConsumerRecords<?, ?> records) {
        records.nextOffsets().forEach((partition, next) -> {
            List<? extends ConsumerRecord<?, ?>> own = records.records(partition);
            Fetched before = fetched.get(partition);
            long afterEarlier = before == null ? UNKNOWN : before.afterRecords();
            long afterRecords =
                    own.isEmpty() ? afterEarlier : own.get(own.size() - 1).offset() + 1;
            fetched.put(partition, new Fetched(afterRecords, next.offset()));
        });
    }

    private void passOn(ConsumerRecord<?, ?> entry) {
        if (last.partition != entry.partition() || !last.topic.equals(entry.topic())) {
            last = passedOn.computeIfAbsent(
                    new TopicPartition(entry.topic(), entry.partition()), p -> new PassedOn(p.topic(), p.partition()));
        }
        last.next = entry.offset() + 1;
    }

    /**
     * Offset after everything that the reader has passed on; {@link #UNKNOWN} if it fetched nothing since its start.
     */
    long position(TopicPartition partition) {
        // First what was fetched: the client may fetch more meanwhile.
        Fetched known = fetched.get(partition);
        PassedOn own = passedOn.get(partition);
        long next = own == null ? UNKNOWN : own.next;
        return known == null || next < known.afterRecords() ? next : Math.max(next, known.next());
    }

    /** Interceptor that reports what the client fetches. The client creates it itself. */
    public static final class ClientFollower implements ConsumerInterceptor<byte[], byte[]> {
        private ReadPositions positions;

        @Override
        public void configure(Map<String, ?> properties) {
            positions = (ReadPositions) properties.get(PROPERTY);
        }

        @Override
        public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
            positions.fetch(records);
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void close() {}
    }

    private record FollowedRecords<T>(KafkaRecordDeserializationSchema<T> records, ReadPositions positions)
            implements KafkaRecordDeserializationSchema<T> {
        @Override
        public void open(DeserializationSchema.InitializationContext context) throws Exception {
            records.open(context);
        }

        @Override
        public void deserialize(ConsumerRecord<byte[], byte[]> entry, Collector<T> out) throws IOException {
            records.deserialize(entry, out);
            positions.passOn(entry);
        }

        @Override
        public TypeInformation<T> getProducedType() {
            return records.getProducedType();
        }
    }
}
