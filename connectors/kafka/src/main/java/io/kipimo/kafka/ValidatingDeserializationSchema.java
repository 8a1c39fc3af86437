package io.kipimo.kafka;

import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import java.time.Duration;
import java.util.Arrays;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.EitherTypeInfo;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Decodes and checks a record: the result is a dead letter (left) or the record (right). This happens before watermarks
 * are computed, so a bad time stamp cannot advance them.
 */
final class ValidatingDeserializationSchema<T> implements KafkaRecordDeserializationSchema<Either<DeadLetter, T>> {
    private static final byte[] NOTHING = {};

    private final RecordReader<T> reader;
    private final EventTime<T> eventTime;
    private final long futureToleranceMillis;
    private final boolean compacted;
    private final WallClock clock;
    private final PresentBound present;
    private final TypeInformation<Either<DeadLetter, T>> type;

    /**
     * @param compacted whether the topic is compacted: then records without value are skipped as removals of keys; in
     *     other topics they become dead letters
     */
    ValidatingDeserializationSchema(
            RecordReader<T> reader,
            EventTime<T> eventTime,
            Duration futureTolerance,
            boolean compacted,
            WallClock clock,
            TypeInformation<T> type) {
        this.reader = reader;
        this.eventTime = eventTime;
        this.futureToleranceMillis = futureTolerance.toMillis();
        this.compacted = compacted;
        this.clock = clock;
        this.present = new PresentBound(clock);
        this.type = new EitherTypeInfo<>(Format.typeOf(Codecs.DEAD_LETTER), type);
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> entry, Collector<Either<DeadLetter, T>> out) {
        if (compacted && entry.value() == null) {
            return;
        }
        Either<DeadLetter, T> found = inspect(entry);
        out.collect(found);
        if (found.isLeft()) {
            reader.inPlaceOf(entry).ifPresent(instead -> out.collect(Either.Right(instead)));
        }
    }

    /** Reads and checks a record. */
    Either<DeadLetter, T> inspect(ConsumerRecord<byte[], byte[]> entry) {
        T found;
        try {
            found = reader.read(entry);
        } catch (InvalidRecordException e) {
            return reject(entry, e.reason(), e.getMessage());
        } catch (RuntimeException e) {
            // No record may stop the job for good, so catch any exception of the codec.
            return reject(entry, RejectionReason.UNREADABLE, e.toString());
        }
        long ahead = aheadMillis(entry, eventTime.millis(found));
        if (ahead > futureToleranceMillis) {
            return reject(
                    entry,
                    RejectionReason.FUTURE_TIMESTAMP,
                    "event time is " + ahead + " ms ahead of the clock; allowed: at most " + futureToleranceMillis);
        }
        return Either.Right(found);
    }

    /**
     * Returns how far a record's event time is ahead, milliseconds. It is compared with the append time if the broker
     * states that, so that the result is the same at every reading.
     */
    private long aheadMillis(ConsumerRecord<byte[], byte[]> entry, long eventTimeMillis) {
        return eventTimeMillis - (AppendTime.isStated(entry) ? entry.timestamp() : present.atMost(eventTimeMillis));
    }

    /** Whether a record with this event time is refused. */
    boolean isTooFarAhead(ConsumerRecord<byte[], byte[]> entry, long eventTimeMillis) {
        return aheadMillis(entry, eventTimeMillis) > futureToleranceMillis;
    }

    private Either<DeadLetter, T> reject(ConsumerRecord<byte[], byte[]> entry, RejectionReason reason, String detail) {
        return Either.Left(new DeadLetter(
                entry.topic(),
                entry.partition(),
                entry.offset(),
                reason,
                detail,
                beginning(entry.key()),
                beginning(entry.value()),
                clock.nowMillis()));
    }

    /** Returns as much of a key or value as a dead letter can hold; empty if there is none. */
    static byte[] beginning(byte[] bytes) {
        if (bytes == null) {
            return NOTHING;
        }
        return bytes.length <= DeadLetter.MAXIMUM_PAYLOAD_BYTES
                ? bytes
                : Arrays.copyOf(bytes, DeadLetter.MAXIMUM_PAYLOAD_BYTES);
    }

    @Override
    public TypeInformation<Either<DeadLetter, T>> getProducedType() {
        return type;
    }
}
