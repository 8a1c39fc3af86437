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
 * Reads events of queries, policies, and the event time of observations, by topic. Unusable policies and observations
 * are skipped, since the job's other sources report them.
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

    private static final long serialVersionUID = 1L;

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> entry, Collector<Either<DeadLetter, JoinInput>> out) {
        if (entry.topic().equals(policiesTopic)) {
            policies.deserialize(entry, new Right<>(out, PolicyInput::new));
        } else if (entry.topic().equals(observationsTopic)) {
            observations.deserialize(entry, new Right<>(out, seen -> new TimeInput(seen.eventTimeMillis())));
        } else {
            Header rewritten = entry.headers().lastHeader(REWRITTEN);
            UnreadEvent unread = heads == null || rewritten != null ? null : unread(entry);
            if (unread != null) {
                out.collect(Either.Right(unread));
            } else {
                events.deserialize(entry, rewritten == null ? new Events(out) : new Rewritten(out, rewritten.value()));
            }
        }
    }

    /** Null if only the whole event can tell whether it is usable. */
    private UnreadEvent unread(ConsumerRecord<byte[], byte[]> entry) {
        EventHead head = heads.head(entry);
        long now = WallClock.SYSTEM.nowMillis();
        if (head == null || events.isTooFarAhead(entry, head.eventTimeMillis(), now)) {
            return null;
        }
        long append = AppendTime.millis(entry, head.eventTimeMillis(), WallClock.SYSTEM);
        return new UnreadEvent(
                head,
                entry.partition(),
                heads.isAnswer(entry),
                append,
                now - append,
                () -> asInput(events.inspect(entry)));
    }

    /** A record as it is: only the type differs. */
    @SuppressWarnings("unchecked") // A reader of inputs takes an event, which is one.
    private static Either<DeadLetter, JoinInput> asInput(Either<DeadLetter, LoggedEvent> found) {
        return (Either<DeadLetter, JoinInput>) (Either<DeadLetter, ?>) found;
    }

    @Override
    public TypeInformation<Either<DeadLetter, JoinInput>> getProducedType() {
        return new EitherTypeInfo<>(Format.typeOf(Codecs.DEAD_LETTER), QualityFormats.JOIN_INPUT.typeInfo());
    }

    private record Events(Collector<Either<DeadLetter, JoinInput>> out)
            implements Collector<Either<DeadLetter, LoggedEvent>> {
        @Override
        public void collect(Either<DeadLetter, LoggedEvent> found) {
            out.collect(asInput(found));
        }

        @Override
        public void close() {}
    }

    private record Rewritten(Collector<Either<DeadLetter, JoinInput>> out, byte[] formerPlace)
            implements Collector<Either<DeadLetter, LoggedEvent>> {
        @Override
        public void collect(Either<DeadLetter, LoggedEvent> found) {
            if (found.isLeft()) {
                out.collect(Either.Left(found.left()));
                return;
            }
            FormerPlace.restore(found.right(), formerPlace);
            out.collect(Either.Right(new RewrittenInput(found.right())));
        }

        @Override
        public void close() {}
    }

    private record Right<T>(Collector<Either<DeadLetter, JoinInput>> out, Function<T, JoinInput> input)
            implements Collector<Either<DeadLetter, T>> {
        @Override
        public void collect(Either<DeadLetter, T> found) {
            if (found.isRight()) {
                out.collect(Either.Right(input.apply(found.right())));
            }
        }

        @Override
        public void close() {}
    }
}
