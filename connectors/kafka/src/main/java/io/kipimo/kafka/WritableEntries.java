package io.kipimo.kafka;

import io.kipimo.schemas.field.Names;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves out records that cannot be written, because their encoding fails or they are too large for a producer. Such a
 * record would fail again after each restart, and so stop the job for all services.
 *
 * <p>Metric of the sink, in group {@code kipimo} of Flink's group {@code user}: {@code unwritableRecords}. The log
 * reports the first, second, fourth, eighth and so on of these records.
 */
final class WritableEntries<T> implements KafkaRecordSerializationSchema<T> {
    private static final Logger LOG = LoggerFactory.getLogger(WritableEntries.class);

    /** Upper bound of the bytes that the fields of a batch and of a record take besides key and value. */
    private static final int FRAME_BYTES = 1_024;

    private final KafkaRecordSerializationSchema<T> entries;
    private final int mostBytes;
    private transient Counter unwritable;

    /** @param mostBytes largest request of the producer */
    WritableEntries(KafkaRecordSerializationSchema<T> entries, int mostBytes) {
        this.entries = entries;
        this.mostBytes = mostBytes;
    }

    @Override
    public void open(SerializationSchema.InitializationContext context, KafkaSinkContext sink) throws Exception {
        entries.open(context, sink);
        unwritable = context.getMetricGroup().addGroup("kipimo").counter("unwritableRecords");
    }

    /** Returns null for a record that is left out; the sink then writes nothing. */
    @Override
    public ProducerRecord<byte[], byte[]> serialize(T element, KafkaSinkContext context, Long timestamp) {
        ProducerRecord<byte[], byte[]> entry;
        try {
            entry = entries.serialize(element, context, timestamp);
        } catch (RuntimeException e) {
            return leftOut(element, e.toString());
        }
        long bytes = (long) length(entry.key()) + length(entry.value()) + FRAME_BYTES;
        return bytes <= mostBytes
                ? entry
                : leftOut(element, "it has about " + bytes + " bytes; allowed: max.request.size, " + mostBytes);
    }

    private ProducerRecord<byte[], byte[]> leftOut(T element, String why) {
        unwritable.inc();
        if (Long.bitCount(unwritable.getCount()) == 1) {
            String text = String.valueOf(element);
            LOG.warn(
                    "a record cannot be written and is lost ({} so far): {}; it begins {}",
                    unwritable.getCount(),
                    why,
                    Names.printable(Names.cut(text, 200)));
        }
        return null;
    }

    private static int length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
