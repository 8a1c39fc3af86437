package io.kipimo.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The scanner accepts what the codec accepts, yields the same record, and refuses with the same errors. */
class EventScannerPropertyTest {
    private static final int PARTITION = 3;
    private static final long OFFSET = 42;

    private final EventScanner scanner = new EventScanner();

    @Property(seed = "1848")
    void whatTheCodecWritesIsPlain(@ForAll long seed) {
        RecordArbitraries grow = new RecordArbitraries(seed);
        byte[] answer = Codecs.ANSWER.encode(grow.any(Answer.class));
        byte[] partial = Codecs.PARTIAL_RESULT.encode(grow.any(PartialResult.class));

        assertThat(scanner.plainAnswer(answer, PARTITION, OFFSET)).isNotNull();
        assertThat(scanner.plainPartial(partial, PARTITION, OFFSET)).isNotNull();
        assertThat(scanner.answerHead(answer)).isNotNull();
        assertThat(scanner.partialHead(partial)).isNotNull();
        assertSame(answer, partial);
    }

    @Property(seed = "1848")
    void anythingInItsPlaceIsReadAsTheCodecReadsIt(@ForAll byte[] bytes) {
        assertSame(bytes, bytes);
    }

    @Property(seed = "1848")
    void damagedBytesAreReadAsTheCodecReadsThem(@ForAll long seed) {
        Random random = new Random(seed);
        RecordArbitraries grow = new RecordArbitraries(seed);
        byte[] answer = damaged(Codecs.ANSWER.encode(grow.any(Answer.class)), random);
        byte[] partial = damaged(Codecs.PARTIAL_RESULT.encode(grow.any(PartialResult.class)), random);

        assertSame(answer, partial);
        assertSame(partial, answer);
    }

    @Property(tries = 500, seed = "1848")
    void fieldsOfANewerVersionAreReadAsTheCodecReadsThem(@ForAll long seed) throws Exception {
        RecordArbitraries grow = new RecordArbitraries(seed);
        byte[] answer =
                NewerVersion.of(Codecs.ANSWER.toMessage(grow.any(Answer.class))).toByteArray();
        byte[] partial = NewerVersion.of(Codecs.PARTIAL_RESULT.toMessage(grow.any(PartialResult.class)))
                .toByteArray();

        assertThat(scanner.answer(answer, PARTITION, OFFSET)).isNotNull();
        assertThat(scanner.partial(partial, PARTITION, OFFSET)).isNotNull();
        assertSame(answer, partial);
    }

    /** Protobuf's merge: the later of two fields with one number wins, sub-messages are merged, lists are appended. */
    @Property(seed = "1848")
    void messagesOneAfterTheOtherAreReadAsTheCodecReadsThem(@ForAll long seed) {
        RecordArbitraries grow = new RecordArbitraries(seed);
        byte[] answers =
                joined(Codecs.ANSWER.encode(grow.any(Answer.class)), Codecs.ANSWER.encode(grow.any(Answer.class)));
        byte[] partials = joined(
                Codecs.PARTIAL_RESULT.encode(grow.any(PartialResult.class)),
                Codecs.PARTIAL_RESULT.encode(grow.any(PartialResult.class)));

        assertSame(answers, partials);
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        byte[] damaged = bytes.clone();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            damaged[random.nextInt(damaged.length)] =
                    (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextInt(128));
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(damaged, random.nextInt(damaged.length)) : damaged;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private void assertSame(byte[] answer, byte[] partial) {
        try {
            Answer expected = Codecs.ANSWER.decode(answer);
            assertSays(scanner.answer(answer, PARTITION, OFFSET), expected);
            assertAgrees(scanner.answerHead(answer), scanner.answer(answer, PARTITION, OFFSET));
        } catch (InvalidRecordException refusal) {
            assertRefused(refusal, () -> scanner.answer(answer, PARTITION, OFFSET));
        }
        try {
            PartialResult expected = Codecs.PARTIAL_RESULT.decode(partial);
            assertSays(scanner.partial(partial, PARTITION, OFFSET), expected);
            assertAgrees(scanner.partialHead(partial), scanner.partial(partial, PARTITION, OFFSET));
        } catch (InvalidRecordException refusal) {
            assertRefused(refusal, () -> scanner.partial(partial, PARTITION, OFFSET));
        }
    }

    /** A head that is there says the same as the whole event. */
    private static void assertAgrees(EventHead head, LoggedEvent event) {
        if (head != null) {
            assertThat(head.key()).isEqualTo(event.key());
            assertThat(head.startedAtMillis()).isEqualTo(event.startedAtMillis());
            assertThat(head.eventTimeMillis()).isEqualTo(event.eventTimeMillis());
            assertThat(head.isQueryStart())
                    .isEqualTo(
                            event.isAnswer() ? event.answerFields().kind() == AnswerKind.ONLINE : event.knowsStart());
        }
    }

    private interface Reading {
        LoggedEvent read() throws InvalidRecordException;
    }

    private static void assertRefused(InvalidRecordException expected, Reading reading) {
        try {
            assertThat(reading.read()).as("codec: %s", expected.getMessage()).isNull();
        } catch (InvalidRecordException refusal) {
            assertThat(refusal.reason()).isEqualTo(expected.reason());
            assertThat(refusal).hasMessage(expected.getMessage());
        }
    }

    private static void assertSays(LoggedEvent event, Answer answer) {
        assertSays(event, QueryEvent.of(answer));
        assertThat(Codecs.ANSWER.encode(event.toQueryEvent().answer())).isEqualTo(Codecs.ANSWER.encode(answer));
    }

    private static void assertSays(LoggedEvent event, PartialResult partial) {
        assertSays(event, QueryEvent.of(partial));
        assertThat(Codecs.PARTIAL_RESULT.encode(event.toQueryEvent().partial()))
                .isEqualTo(Codecs.PARTIAL_RESULT.encode(partial));
    }

    /** The event from the bytes has the same values for the join as the record. */
    private static void assertSays(LoggedEvent event, SampledEvent expected) {
        assertThat(event.isAnswer()).isEqualTo(expected.isAnswer());
        assertThat(event.key()).isEqualTo(expected.key());
        assertThat(event.eventTimeMillis()).isEqualTo(expected.eventTimeMillis());
        assertThat(event.startedAtMillis()).isEqualTo(expected.startedAtMillis());
        assertThat(event.knowsStart()).isEqualTo(expected.knowsStart());
        assertThat(event.isTruncated()).isEqualTo(expected.isTruncated());
        assertThat(event.items()).usingRecursiveComparison().isEqualTo(expected.items());
        assertThat(event.answerFields()).usingRecursiveComparison().isEqualTo(expected.answerFields());
        assertThat(event.component()).isEqualTo(expected.component());
        assertThat(event.phase()).isEqualTo(expected.phase());
        assertThat(event.latencyMicros()).isEqualTo(expected.latencyMicros());
        assertThat(event.partition()).isEqualTo(PARTITION);
        assertThat(event.offset()).isEqualTo(OFFSET);
    }
}
