package io.kipimo.kafka;

import static io.kipimo.kafka.Entries.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.operators.quality.QualityFormats;
import io.kipimo.operators.quality.RewrittenInput;
import io.kipimo.operators.quality.UnreadEvent;
import io.kipimo.operators.types.EventFormats;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;
import org.apache.flink.util.clock.ManualClock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** Events that the job writes again, from the sink until the watermark. */
class RewrittenEventsTest {
    private static final SourceSettings SETTINGS = SourceSettings.of("test").withOutOfOrderness(Duration.ofSeconds(2));
    private static final KafkaSinks.Strays STRAYS =
            new KafkaSinks.Strays("answers", "partials", new KafkaPartitions(4));

    private static JoinInputDeserializationSchema schema(SampledEventReader heads) {
        return new JoinInputDeserializationSchema(
                "policies",
                "observations",
                inspection(new SampledEventReader("answers"), EventFormats.EVENT.typeInfo()),
                inspection(RecordReader.of(Codecs.POLICY), Format.typeOf(Codecs.POLICY)),
                inspection(
                        entry -> {
                            throw new AssertionError("no observation");
                        },
                        QualityFormats.LOGGED_OBSERVATION.typeInfo()),
                heads);
    }

    private static <T> ValidatingDeserializationSchema<T> inspection(RecordReader<T> reader, TypeInformation<T> type) {
        return new ValidatingDeserializationSchema<>(reader, any -> 0, Duration.ofDays(1), false, () -> NOW, type);
    }

    private static LoggedEvent event(long completedAtMillis) throws Exception {
        return new EventScanner()
                .partial(
                        Codecs.PARTIAL_RESULT.encode(PartialResultBuilder.builder()
                                .service("shop")
                                .queryId("q")
                                .component("c")
                                .server("")
                                .phase(Phase.ONLINE)
                                .completedAtMillis(completedAtMillis)
                                .latencyMicros(1_000)
                                .items(Items.NONE)
                                .build()),
                        3,
                        42);
    }

    private static ConsumerRecord<byte[], byte[]> read(ProducerRecord<byte[], byte[]> written, RecordHeaders headers) {
        return new ConsumerRecord<>(
                written.topic(),
                written.partition(),
                43,
                NOW,
                TimestampType.LOG_APPEND_TIME,
                written.key().length,
                written.value().length,
                written.key(),
                written.value(),
                headers,
                Optional.empty());
    }

    private static List<Either<DeadLetter, JoinInput>> inputs(ConsumerRecord<byte[], byte[]> entry) {
        return inputs(schema(null), entry);
    }

    private static List<Either<DeadLetter, JoinInput>> inputs(
            JoinInputDeserializationSchema schema, ConsumerRecord<byte[], byte[]> entry) {
        List<Either<DeadLetter, JoinInput>> found = new ArrayList<>();
        schema.deserialize(entry, new Collector<>() {
            @Override
            public void collect(Either<DeadLetter, JoinInput> input) {
                found.add(input);
            }

            @Override
            public void close() {}
        });
        return found;
    }

    @Test
    void anEventThatTheJobWroteAgainIsReadAsSuch() throws Exception {
        LoggedEvent event = event(NOW - 5_000);
        event.place(NOW - 4_000, NOW - 3_000, false);
        ProducerRecord<byte[], byte[]> written = STRAYS.serialize(event, null, null);
        assertThat(written.topic()).isEqualTo("partials");
        assertThat(written.partition()).isEqualTo(new KafkaPartitions(4).partitionOf(event.key()));

        assertThat(inputs(read(written, new RecordHeaders(written.headers()))))
                .singleElement()
                .extracting(Either::right)
                .isInstanceOfSatisfying(RewrittenInput.class, input -> {
                    assertThat(input.event().wire()).isEqualTo(event.wire());
                    // It is late or not as at its first place.
                    assertThat(input.event().watermarkMillis()).isEqualTo(NOW - 4_000);
                    assertThat(input.event().appendWatermarkMillis()).isEqualTo(NOW - 3_000);
                    assertThat(input.event().isProven()).isFalse();
                });
        assertThat(inputs(read(written, new RecordHeaders())))
                .singleElement()
                .extracting(Either::right)
                .isInstanceOfSatisfying(LoggedEvent.class, read -> assertThat(read.appendWatermarkMillis())
                        .isEqualTo(NOW));
    }

    @Test
    void whereABacklogIsSampledOnlyTheHeadIsReadAtFirst() throws Exception {
        JoinInputDeserializationSchema schema = schema(new SampledEventReader("answers"));
        LoggedEvent event = event(NOW - 5_000);
        ProducerRecord<byte[], byte[]> written = STRAYS.serialize(event, null, null);

        assertThat(inputs(schema, read(written, new RecordHeaders())))
                .singleElement()
                .extracting(Either::right)
                .isInstanceOfSatisfying(UnreadEvent.class, unread -> {
                    assertThat(unread.head().key()).isEqualTo(event.key());
                    assertThat(unread.eventTimeMillis()).isEqualTo(event.eventTimeMillis());
                    assertThat(unread.appendMillis()).isEqualTo(NOW);
                    assertThat(unread.rest().get().right())
                            .isInstanceOfSatisfying(LoggedEvent.class, read -> assertThat(read.wire())
                                    .isEqualTo(event.wire()));
                });
        assertThat(inputs(schema, read(written, new RecordHeaders(written.headers()))))
                .singleElement()
                .extracting(Either::right)
                .isInstanceOf(RewrittenInput.class);
        ProducerRecord<byte[], byte[]> spoilt =
                new ProducerRecord<>(written.topic(), written.partition(), written.key(), new byte[] {1});
        assertThat(inputs(schema, read(spoilt, new RecordHeaders())))
                .singleElement()
                .matches(Either::isLeft);
    }

    @Test
    void anUnusableRecordIsADeadLetterThen() throws Exception {
        ProducerRecord<byte[], byte[]> written = STRAYS.serialize(event(NOW), null, null);
        ProducerRecord<byte[], byte[]> spoilt =
                new ProducerRecord<>(written.topic(), written.partition(), written.key(), new byte[] {1});
        assertThat(inputs(read(spoilt, new RecordHeaders(written.headers()))))
                .singleElement()
                .matches(Either::isLeft);
    }

    /** Its former partition may be far ahead of the one that it is written to. */
    @Test
    void itDoesNotMoveEventTime() throws Exception {
        WatermarkStrategy<Either<DeadLetter, JoinInput>> strategy =
                GoodRecordWatermarks.strategy(SETTINGS, JoinInput::eventTimeMillis, () -> NOW);
        TimestampAssigner<Either<DeadLetter, JoinInput>> stamps =
                strategy.createTimestampAssigner(UnregisteredMetricsGroup::new);
        WatermarkGenerator<Either<DeadLetter, JoinInput>> watermarks =
                strategy.createWatermarkGenerator(GoodRecordWatermarksTest.context(new ManualClock(1)));
        List<Long> marks = new ArrayList<>();
        WatermarkOutput output = new WatermarkOutput() {
            @Override
            public void emitWatermark(Watermark mark) {
                marks.add(mark.getTimestamp());
            }

            @Override
            public void markIdle() {}

            @Override
            public void markActive() {}
        };
        for (JoinInput input : List.of(event(NOW - 60_000), new RewrittenInput(event(NOW - 1_000)))) {
            Either<DeadLetter, JoinInput> found = Either.Right(input);
            watermarks.onEvent(found, stamps.extractTimestamp(found, NOW), output);
        }
        watermarks.onPeriodicEmit(output);
        assertThat(marks).endsWith(NOW - 60_000 - 2_001);
    }
}
