package io.kipimo.kafka;

import io.kipimo.operators.quality.LoggedObservation;
import io.kipimo.operators.quality.PolicyInput;
import io.kipimo.operators.quality.QualityFormats;
import io.kipimo.operators.quality.RewrittenInput;
import io.kipimo.operators.quality.TimeInput;
import io.kipimo.operators.quality.UnreadEvent;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.EventHead;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.JoinInput;
import java.util.function.Function;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.EitherTypeInfo;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Decodes records by their topic: events of queries, policies, and the event time of observations. It skips unusable
 * policies and observations, since the job's other sources report them.
 *
 * @param heads reads the heads of events, whose rest a job that samples its backlog may leave out; null: events are
 *     read whole
 */
record JoinInputDeserializationSchema(
        String policiesTopic,
        String observationsTopic,
        ValidatingDeserializationSchema<LoggedEvent> events,
        ValidatingDeserializationSchema<Policy> policies,
        ValidatingDeserializationSchema<LoggedObservation> observations,
        SampledEventReader heads)
        implements KafkaRecordDeserializationSchema<Either<DeadLetter, JoinInput>> {
    /** Header of events that the job wrote again; its value is their {@link FormerPlace}. */
    static final String REWRITTEN = "kipimo-rewritten";

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> entry, Collector<Either<DeadLetter, JoinInput>> out) {
        if (entry.topic().equals(policiesTopic)) {
            collect(policies.inspect(entry), PolicyInput::new, out);
        } else if (entry.topic().equals(observationsTopic)) {
            collect(observations.inspect(entry), seen -> new TimeInput(seen.eventTimeMillis()), out);
        } else {
            Header rewritten = entry.headers().lastHeader(REWRITTEN);
            UnreadEvent unread = heads == null || rewritten != null ? null : unread(entry);
            out.collect(unread == null ? event(entry, rewritten) : Either.Right(unread));
        }
    }

    private static <T> void collect(
            Either<DeadLetter, T> found, Function<T, JoinInput> input, Collector<Either<DeadLetter, JoinInput>> out) {
        if (found.isRight()) {
            out.collect(Either.Right(input.apply(found.right())));
        }
    }

    private Either<DeadLetter, JoinInput> event(ConsumerRecord<byte[], byte[]> entry, Header rewritten) {
        Either<DeadLetter, LoggedEvent> found = events.inspect(entry);
        if (rewritten == null || found.isLeft()) {
            return asInput(found);
        }
        FormerPlace.restore(found.right(), rewritten.value());
        return Either.Right(new RewrittenInput(found.right()));
    }

    /**
     * Returns the event with only its head read. Returns null if only the whole event can tell whether it is usable.
     */
    private UnreadEvent unread(ConsumerRecord<byte[], byte[]> entry) {
        EventHead head = heads.head(entry);
        if (head == null || events.isTooFarAhead(entry, head.eventTimeMillis())) {
            return null;
        }
        long append = heads.appendMillis(entry, head.eventTimeMillis());
        return new UnreadEvent(
                head,
                entry.partition(),
                heads.isAnswer(entry),
                append,
                WallClock.SYSTEM.nowMillis() - append,
                () -> asInput(events.inspect(entry)));
    }

    /** Returns the argument itself, as an input of the join. */
    @SuppressWarnings("unchecked") // A reader of inputs takes an event, which is one.
    private static Either<DeadLetter, JoinInput> asInput(Either<DeadLetter, LoggedEvent> found) {
        return (Either<DeadLetter, JoinInput>) (Either<DeadLetter, ?>) found;
    }

    @Override
    public TypeInformation<Either<DeadLetter, JoinInput>> getProducedType() {
        return new EitherTypeInfo<>(Format.typeOf(Codecs.DEAD_LETTER), QualityFormats.JOIN_INPUT.typeInfo());
    }
}
