package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.PartitionedJoin.PartitionSnapshot;
import io.kipimo.core.quality.join.QuerySegment;
import io.kipimo.operators.types.Coder;
import io.kipimo.operators.types.EventFormats;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.quality.QueryKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/**
 * State entry of a {@link QueryJoinOperator}: some queries of a partition. In a snapshot, the entry refers to the
 * queries, which are written later. After a restore, it has their bytes, which only the subtask that owns the partition
 * decodes. Immutable.
 *
 * @param partitions number of partitions of the topic at the snapshot
 * @param eventTimeMillis event time of the partition, epoch milliseconds
 * @param queries the queries of a snapshot; null after a restore, and in an entry without queries
 * @param bytes the encoded queries; null if {@code queries} is not null
 * @param version version of {@link QualityFormats#OPEN_QUERY} in the bytes
 */
record StoredPartition(
        int partition, int partitions, long eventTimeMillis, QuerySegment queries, byte[] bytes, int version) {
    private static final int FIRST_BYTES = 1024;

    private static final byte[] NO_QUERIES = {};

    /**
     * Returns the state of a partition as one entry or more.
     *
     * @param partitions number of partitions of the topic
     */
    static List<StoredPartition> of(PartitionSnapshot snapshot, int partitions) {
        int version = QualityFormats.OPEN_QUERY.version();
        List<StoredPartition> stored = new ArrayList<>(snapshot.segments().size() + 1);
        stored.add(new StoredPartition(
                snapshot.partition(), partitions, snapshot.eventTimeMillis(), null, NO_QUERIES, version));
        for (QuerySegment segment : snapshot.segments()) {
            stored.add(new StoredPartition(
                    snapshot.partition(), partitions, snapshot.eventTimeMillis(), segment, null, version));
        }
        return stored;
    }

    /**
     * Writes the entries of a snapshot one after the other through one shared buffer, because there are many entries.
     */
    static final class PartCoder implements Coder<StoredPartition> {
        private final DataOutputSerializer buffer = new DataOutputSerializer(FIRST_BYTES);
        private final Coder<QueryKey> keys = EventFormats.KEY.coder();
        private final Coder<OpenQuery> queries = QualityFormats.OPEN_QUERY.coder();

        @Override
        public void write(StoredPartition part, DataOutputView out) throws IOException {
            out.writeInt(part.partition());
            out.writeInt(part.partitions());
            out.writeLong(part.eventTimeMillis());
            out.writeInt(part.version());
            if (part.bytes() != null) {
                Format.writeBytes(part.bytes(), out);
                return;
            }
            buffer.clear();
            part.queries().forEach((key, query) -> {
                keys.write(key, buffer);
                queries.write(query, buffer);
            });
            out.writeInt(buffer.length());
            out.write(buffer.getSharedBuffer(), 0, buffer.length());
        }

        @Override
        public StoredPartition read(DataInputView in, int formatVersion) throws IOException {
            int partition = in.readInt();
            int partitions = in.readInt();
            long eventTimeMillis = in.readLong();
            int version = in.readInt();
            return new StoredPartition(partition, partitions, eventTimeMillis, null, Format.readBytes(in), version);
        }
    }

    /** Passes all queries of a restored entry to {@code consumer}. */
    void forEach(Coder<OpenQuery> coder, BiConsumer<QueryKey, OpenQuery> consumer) throws IOException {
        DataInputDeserializer in = new DataInputDeserializer(bytes);
        Coder<QueryKey> keys = EventFormats.KEY.coder();
        while (in.available() > 0) {
            consumer.accept(keys.read(in, EventFormats.KEY.version()), coder.read(in, version));
        }
    }
}
