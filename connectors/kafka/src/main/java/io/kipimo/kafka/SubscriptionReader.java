package io.kipimo.kafka;

import io.kipimo.operators.invalidation.InvalidationInput;
import io.kipimo.operators.invalidation.SubscriptionChange;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads subscriptions and their ends. A record with a key and no value ends a subscription. Filters are parsed here: a
 * refused filter becomes a dead letter that names the operator, and the subscriber is notified of the refusal.
 */
final class SubscriptionReader implements RecordReader<SubscriptionChange> {
    private static final RecordReader<SubscriptionChange> READER = RecordReader.orEnds(
            entry -> SubscriptionChange.registered(InvalidationInput.terms(Codecs.SUBSCRIPTION.decode(entry.value()))),
            SubscriptionChange::ended,
            "a subscription");

    @Override
    public SubscriptionChange read(ConsumerRecord<byte[], byte[]> entry) throws InvalidRecordException {
        return READER.read(entry);
    }

    /**
     * Returns a refusal, which notifies the subscriber. Without it, the subscriber would cache the result as if it were
     * watched.
     */
    @Override
    public Optional<SubscriptionChange> inPlaceOf(ConsumerRecord<byte[], byte[]> rejected) {
        return rejected.key() == null
                ? Optional.empty()
                : SubscriptionChange.refused(
                        new String(rejected.key(), StandardCharsets.UTF_8), Math.max(0, rejected.timestamp()));
    }
}
