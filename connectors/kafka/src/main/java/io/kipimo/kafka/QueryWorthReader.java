package io.kipimo.kafka;

import io.kipimo.operators.invalidation.QueryWorth;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.deadletter.RejectionReason;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads the worth of queries from estimates. A record without a value ends the estimate of a query that is no longer
 * read.
 */
final class QueryWorthReader implements RecordReader<QueryWorth> {
    private static final long serialVersionUID = 1L;

    @Override
    public QueryWorth read(ConsumerRecord<byte[], byte[]> entry) throws InvalidRecordException {
        if (entry.value() != null && entry.value().length > 0) {
            return QueryWorth.of(Codecs.TTL_ESTIMATE.decode(entry.value()));
        }
        if (entry.key() == null) {
            throw new InvalidRecordException(
                    RejectionReason.MISSING_FIELD, "an end of an estimate has no key; allowed: service/table/key");
        }
        return QueryWorth.forgotten(new String(entry.key(), StandardCharsets.UTF_8));
    }
}
