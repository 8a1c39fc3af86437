package io.kipimo.kafka;

import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.policy.PolicyBook.SerializableFunction;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.policy.Policy;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
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
     * @throws InvalidRecordException if the record cannot be used
     */
    T read(ConsumerRecord<byte[], byte[]> entry) throws InvalidRecordException;

    /** Returns a record to forward in addition to the dead letter of an unusable record; empty: none. */
    default Optional<T> inPlaceOf(ConsumerRecord<byte[], byte[]> rejected) {
        return Optional.empty();
    }

    static <T> RecordReader<T> of(Codec<T> codec) {
        return entry -> codec.decode(entry.value());
    }

    /**
     * Returns a reader of records and of the ends of keys. A record with a key and no value ends its key.
     *
     * @param ended returns the record that stands for the end of a key
     * @param what name of the thing that ends, for messages
     */
    static <T> RecordReader<T> orEnds(RecordReader<T> records, SerializableFunction<String, T> ended, String what) {
        return entry -> {
            if (entry.value() != null && entry.value().length > 0) {
                return records.read(entry);
            }
            if (entry.key() == null) {
                throw new InvalidRecordException(
                        RejectionReason.MISSING_FIELD, "an end of " + what + " has no key; allowed: service/table/key");
            }
            return ended.apply(new String(entry.key(), StandardCharsets.UTF_8));
        };
    }

    /**
     * Returns a reader of policies and their removals. A record with a key and no value removes the policy of that
     * service.
     *
     * @param use throws IllegalArgumentException for a policy that its reader cannot use
     */
    static RecordReader<Policy> ofPolicies(SerializableFunction<Policy, ?> use) {
        return entry -> {
            if (entry.value() == null && entry.key() != null) {
                Policy removal = PolicyBook.removal(new String(entry.key(), StandardCharsets.UTF_8));
                // The key may be no name of a service, which state could not hold.
                return Codecs.POLICY.decode(Codecs.POLICY.encode(removal));
            }
            Policy policy = Codecs.POLICY.decode(entry.value());
            if (PolicyBook.isRemoval(policy)) {
                throw new InvalidRecordException(
                        RejectionReason.IMPOSSIBLE_NUMBER, "version is " + policy.version() + "; allowed: less");
            }
            try {
                Object unused = use.apply(policy);
                return policy;
            } catch (IllegalArgumentException e) {
                throw new InvalidRecordException(
                        RejectionReason.IMPOSSIBLE_TEXT,
                        "the policy of service '" + policy.service() + "' cannot be used: " + e.getMessage());
            }
        };
    }
}
