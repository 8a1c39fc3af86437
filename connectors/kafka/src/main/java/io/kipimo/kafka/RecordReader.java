package io.kipimo.kafka;

import io.kipimo.operators.types.CodecReference;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.io.Serializable;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Decodes a Kafka record.
 *
 * @param <T> the record
 */
@FunctionalInterface
interface RecordReader<T> extends Serializable {
    /**
     * Decodes a record.
     *
     * @throws InvalidRecordException if it cannot be used
     */
    T read(ConsumerRecord<byte[], byte[]> entry) throws InvalidRecordException;

    /** A record to forward in addition to the dead letter of an unusable one; empty: none. */
    default Optional<T> inPlaceOf(ConsumerRecord<byte[], byte[]> rejected) {
        return Optional.empty();
    }

    static <T> RecordReader<T> of(Codec<T> codec) {
        CodecReference<T> reference = CodecReference.to(codec);
        return entry -> reference.codec().decode(entry.value());
    }
}
