package io.kipimo.kafka;

import io.kipimo.operators.invalidation.InvalidationInput;
import io.kipimo.operators.invalidation.SubscriptionChange;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.deadletter.RejectionReason;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads subscriptions and their ends: a key without a value. Filters are parsed here, so that one
 * that is refused is a dead letter which names the operator.
 */
final class SubscriptionReader implements RecordReader<SubscriptionChange> {
    private static final long serialVersionUID = 1L;

    @Override
    public SubscriptionChange read(ConsumerRecord<byte[], byte[]> entry)
            throws InvalidRecordException {
        if (entry.value() != null && entry.value().length > 0) {
            return SubscriptionChange.registered(
                    InvalidationInput.terms(Codecs.SUBSCRIPTION.decode(entry.value())));
        }
        if (entry.key() == null) {
            throw new InvalidRecordException(
                    RejectionReason.MISSING_FIELD,
                    "an end of a subscription has no key; allowed: service/table/key");
        }
        return SubscriptionChange.ended(new String(entry.key(), StandardCharsets.UTF_8));
    }
}
