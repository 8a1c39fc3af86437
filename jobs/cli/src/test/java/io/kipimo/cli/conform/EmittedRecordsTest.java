package io.kipimo.cli.conform;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class EmittedRecordsTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final long WINDOW_MILLIS = 12_000;

    private final EmittedRecords records = new EmittedRecords(
            Map.of(Topic.ANSWERS, 1, Topic.OBSERVATIONS, 1),
            Optional.empty(),
            OptionalDouble.empty(),
            service -> WINDOW_MILLIS);

    private void take(Topic topic, String key, long appendMillis, byte[] value) {
        records.take(
                topic,
                new ConsumerRecord<>(
                        topic.name(),
                        0,
                        0,
                        appendMillis,
                        TimestampType.LOG_APPEND_TIME,
                        key.length(),
                        value.length,
                        key.getBytes(StandardCharsets.UTF_8),
                        value,
                        new RecordHeaders(),
                        Optional.empty()));
    }

    private void observe(String service, long secondMillis, long appendMillis) {
        take(
                Topic.OBSERVATIONS,
                service + "/front/f1",
                appendMillis,
                Codecs.OBSERVATION.encode(ObservationBuilder.builder()
                        .service(service)
                        .tier("front")
                        .server("f1")
                        .queryClass("high")
                        .secondMillis(secondMillis)
                        .offered(9)
                        .answered(9)
                        .bill(MeasurementBill.NOTHING)
                        .admittedFraction(1)
                        .build()));
    }

    private void answer(String id, long startedAtMillis, long appendMillis) {
        take(
                Topic.ANSWERS,
                id,
                appendMillis,
                Codecs.ANSWER.encode(AnswerBuilder.builder()
                        .service("shop")
                        .queryId(id)
                        .queryClass("high")
                        .kind(AnswerKind.ONLINE)
                        .startedAtMillis(startedAtMillis)
                        .answeredAtMillis(startedAtMillis + 50)
                        .invocations(List.of(new Invocation("web", Outcome.IN_TIME, 9_000)))
                        .build()));
    }

    private List<String> late() {
        return records.findings(0, Long.MAX_VALUE).stream()
                .filter(finding -> finding.rule() == Rule.LATE_FOR_COUNTS)
                .map(ConformFinding::toString)
                .toList();
    }

    @Test
    void anAnswerAfterCountsThatPassedItsWindowIsLateAndNamesWhoseTheyWere() {
        // The records of a topic are read before those of another one.
        answer("held", NOW - WINDOW_MILLIS, NOW + 1_500);
        observe("shop", NOW - 1_000, NOW);
        observe("other", NOW, NOW + 1_000);
        observe("shop", NOW - 2_000, NOW + 1_200);

        assertThat(late()).hasSize(1);
        assertThat(late().get(0))
                .contains("query held was sent 13500 ms after its start")
                .contains("counts of other/front/f1 were 0 ms past its window");
    }

    @Test
    void countsThatCameLaterOrAreNotYetPastTheWindowMakeNoAnswerLate() {
        answer("in time", NOW - WINDOW_MILLIS + 1, NOW + 1_500);
        answer("before", NOW - WINDOW_MILLIS, NOW + 900);
        observe("shop", NOW, NOW + 1_000);

        assertThat(late()).isEmpty();
    }
}
