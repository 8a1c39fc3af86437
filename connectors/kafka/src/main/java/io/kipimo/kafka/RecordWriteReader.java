package io.kipimo.kafka;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.operators.invalidation.InvalidationInput;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads writes and parses their documents, so that malformed documents become dead letters before matching. */
final class RecordWriteReader implements RecordReader<AfterImage> {
    private static final long serialVersionUID = 1L;

    @Override
    public AfterImage read(ConsumerRecord<byte[], byte[]> entry) throws InvalidRecordException {
        return InvalidationInput.write(Codecs.RECORD_WRITE.decode(entry.value()));
    }
}
