package io.kipimo.kafka;

import static io.kipimo.kafka.Entries.NOW;
import static io.kipimo.kafka.Entries.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.operators.types.EventFormats;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.types.Either;
import org.apache.flink.util.InstantiationUtil;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class ValidatingDeserializationSchemaTest {
    private static ValidatingDeserializationSchema<Observation> inspection(boolean compacted) {
        return new ValidatingDeserializationSchema<>(
                RecordReader.of(Codecs.OBSERVATION),
                Observation::secondMillis,
                Duration.ofSeconds(60),
                compacted,
                () -> NOW,
                Format.typeOf(Codecs.OBSERVATION));
    }

    private static <T> List<Either<DeadLetter, T>> read(
            ValidatingDeserializationSchema<T> inspection, ConsumerRecord<byte[], byte[]> entry) {
        List<Either<DeadLetter, T>> found = new ArrayList<>();
        inspection.deserialize(entry, new ListCollector<>(found));
        return found;
    }

    private static DeadLetter rejected(byte[] value) {
        return read(inspection(false), Entries.of(TOPIC, value)).get(0).left();
    }

    @Test
    void aGoodRecordIsLetIn() {
        assertThat(read(inspection(false), Entries.good(NOW)).get(0).right()).isEqualTo(Entries.observation(NOW));
    }

    @Test
    void aBadRecordBecomesADeadLetterThatNamesIt() {
        byte[] poison = {(byte) 0xff, 1, 2};
        DeadLetter letter = rejected(poison);
        assertThat(letter.topic()).isEqualTo(TOPIC);
        assertThat(letter.partition()).isEqualTo(3);
        assertThat(letter.offset()).isEqualTo(42);
        assertThat(letter.reason()).isEqualTo(RejectionReason.UNREADABLE);
        assertThat(letter.key()).containsExactly(7);
        assertThat(letter.payload()).isEqualTo(poison);
        assertThat(letter.seenAtMillis()).isEqualTo(NOW);
    }

    @Test
    void anEmptyRecordIsABadOne() {
        assertThat(rejected(null).reason()).isEqualTo(RejectionReason.UNREADABLE);
        assertThat(rejected(new byte[0]).reason()).isEqualTo(RejectionReason.UNREADABLE);
    }

    @Test
    void aRemovalFromACompactedTopicIsPassedOver() {
        assertThat(read(inspection(true), Entries.of(TOPIC, null))).isEmpty();
    }

    @Test
    void aHugePayloadIsCut() {
        assertThat(rejected(new byte[1 << 20]).payload()).hasSize(DeadLetter.MAXIMUM_PAYLOAD_BYTES);
    }

    @Test
    void stampsFarAheadOfTheClockAreRefused() {
        assertThat(read(inspection(false), Entries.good(NOW + 60_000)).get(0).isRight())
                .isTrue();
        Either<DeadLetter, Observation> ahead =
                read(inspection(false), Entries.good(NOW + 60_001)).get(0);
        assertThat(ahead.left().reason()).isEqualTo(RejectionReason.FUTURE_TIMESTAMP);
        assertThat(ahead.left().detail()).contains("60001 ms ahead");
    }

    /** Whenever it is read: after an outage the reader's clock has passed the stamp. */
    @Test
    void aStampFarAheadOfTheAppendTimeIsRefusedAtEveryReading() {
        for (long ahead : new long[] {60_000, 60_001}) {
            long second = NOW - 3_600_000;
            ConsumerRecord<byte[], byte[]> entry = new ConsumerRecord<>(
                    TOPIC,
                    3,
                    42,
                    second - ahead,
                    TimestampType.LOG_APPEND_TIME,
                    0,
                    0,
                    null,
                    Codecs.OBSERVATION.encode(Entries.observation(second)),
                    new RecordHeaders(),
                    Optional.empty());
            assertThat(read(inspection(false), entry).get(0).isRight()).isEqualTo(ahead == 60_000);
        }
    }

    @Test
    void anyBytesLeaveTheJobRunning() {
        SplittableRandom random = new SplittableRandom(11);
        byte[] good = Codecs.OBSERVATION.encode(Entries.observation(NOW));
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = good.clone();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            assertThat(read(inspection(false), Entries.of(TOPIC, bytes))).hasSize(1);
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            assertThat(read(inspection(false), Entries.of(TOPIC, noise))).hasSize(1);
        }
    }

    @Test
    void aFailingReaderMakesADeadLetterToo() {
        ValidatingDeserializationSchema<Observation> failing = new ValidatingDeserializationSchema<>(
                entry -> {
                    throw new IllegalStateException("a fault of ours");
                },
                Observation::secondMillis,
                Duration.ofSeconds(60),
                false,
                () -> NOW,
                Format.typeOf(Codecs.OBSERVATION));
        assertThat(read(failing, Entries.good(NOW)).get(0).left().detail()).contains("a fault of ours");
    }

    @Test
    void itTravelsWithTheJob() throws Exception {
        assertThat(read(InstantiationUtil.clone(inspection(false)), Entries.good(NOW)))
                .hasSize(1);
    }

    @Test
    void queryEventsCarryWhereTheyWereRead() {
        Answer answer = AnswerBuilder.builder()
                .service("search")
                .queryId("q1")
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(NOW - 20)
                .answeredAtMillis(NOW)
                .deadlineMillis(30)
                .topK(10)
                .items(Items.NONE)
                .build();
        PartialResult partial = PartialResultBuilder.builder()
                .service("search")
                .queryId("q1")
                .component("a")
                .server("s1")
                .phase(Phase.ONLINE)
                .completedAtMillis(NOW)
                .latencyMicros(5_000)
                .items(Items.NONE)
                .build();
        ValidatingDeserializationSchema<LoggedEvent> inspection = new ValidatingDeserializationSchema<>(
                new SampledEventReader("kipimo.answers"),
                LoggedEvent::eventTimeMillis,
                Duration.ofSeconds(60),
                false,
                () -> NOW,
                EventFormats.EVENT.typeInfo());
        LoggedEvent first = read(inspection, Entries.of("kipimo.answers", Codecs.ANSWER.encode(answer)))
                .get(0)
                .right();
        assertThat(first.isAnswer()).isTrue();
        assertThat(first.partition()).isEqualTo(3);
        assertThat(first.offset()).isEqualTo(42);
        LoggedEvent second = read(inspection, Entries.of("kipimo.partials", Codecs.PARTIAL_RESULT.encode(partial)))
                .get(0)
                .right();
        assertThat(second.component()).isEqualTo("a");
        assertThat(second.offset()).isEqualTo(42);
    }
}
