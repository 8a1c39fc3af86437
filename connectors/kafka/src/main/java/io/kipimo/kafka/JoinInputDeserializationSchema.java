package io.kipimo.kafka;

import io.kipimo.operators.quality.LoggedObservation;
import io.kipimo.operators.quality.PolicyInput;
import io.kipimo.operators.quality.QualityFormats;
import io.kipimo.operators.quality.RewrittenInput;
import io.kipimo.operators.quality.TimeInput;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
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
 */
final class JoinInputDeserializationSchema implements KafkaRecordDeserializationSchema<Either<DeadLetter, JoinInput>> {
    /** Header of events that the job wrote again; its value is their {@link FormerPlace}. */
    static final String REWRITTEN = "kipimo-rewritten";

    private static final long serialVersionUID = 1L;

    private final String policiesTopic;
    private final String observationsTopic;
    private final ValidatingDeserializationSchema<LoggedEvent> events;
    private final ValidatingDeserializationSchema<Policy> policies;
    private final ValidatingDeserializationSchema<LoggedObservation> observations;

    JoinInputDeserializationSchema(
            String policiesTopic,
            String observationsTopic,
            ValidatingDeserializationSchema<LoggedEvent> events,
            ValidatingDeserializationSchema<Policy> policies,
            ValidatingDeserializationSchema<LoggedObservation> observations) {
        this.policiesTopic = policiesTopic;
        this.observationsTopic = observationsTopic;
        this.events = events;
        this.policies = policies;
        this.observations = observations;
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> entry, Collector<Either<DeadLetter, JoinInput>> out) {
        if (entry.topic().equals(policiesTopic)) {
            policies.deserialize(entry, new Right<>(out, PolicyInput::new));
        } else if (entry.topic().equals(observationsTopic)) {
            observations.deserialize(entry, new Right<>(out, seen -> new TimeInput(seen.eventTimeMillis())));
        } else {
            Header rewritten = entry.headers().lastHeader(REWRITTEN);
            events.deserialize(entry, rewritten == null ? new Events(out) : new Rewritten(out, rewritten.value()));
        }
    }

    @Override
    public TypeInformation<Either<DeadLetter, JoinInput>> getProducedType() {
        return new EitherTypeInfo<>(Format.typeOf(Codecs.DEAD_LETTER), QualityFormats.JOIN_INPUT.typeInfo());
    }

    /** Passes records on as they are: only the type differs. */
    private record Events(Collector<Either<DeadLetter, JoinInput>> out)
            implements Collector<Either<DeadLetter, LoggedEvent>> {
        @Override
        @SuppressWarnings("unchecked") // A reader of inputs takes an event, which is one.
        public void collect(Either<DeadLetter, LoggedEvent> found) {
            out.collect((Either<DeadLetter, JoinInput>) (Either<DeadLetter, ?>) found);
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
