package io.kipimo.cli.conform;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.kafka.SourceSettings;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
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

    private final EmittedRecords records = records(Optional.empty());

    private static Policy policy(String service, MergeKind merge) {
        return Policy.builder()
                .service(service)
                .merge(new MergePolicy(merge, List.of(), Map.of()))
                .topK(3)
                .expirationWindowMillis(WINDOW_MILLIS - SourceSettings.DEFAULT_OUT_OF_ORDERNESS.toMillis())
                .build();
    }

    private static EmittedRecords records(Optional<String> onlyService) {
        return new EmittedRecords(
                Map.of(Topic.ANSWERS, 1, Topic.PARTIALS, 1, Topic.OBSERVATIONS, 1),
                onlyService,
                OptionalDouble.empty(),
                Map.of(
                        "shop", policy("shop", MergeKind.TOP_K_BY_SCORE),
                        "engine", policy("engine", MergeKind.REPLAYED_ANSWERS)));
    }

    private void take(Topic topic, String key, long appendMillis, byte[] value) {
        take(records, topic, key, appendMillis, value);
    }

    private static void take(EmittedRecords records, Topic topic, String key, long appendMillis, byte[] value) {
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
        observe(records, service, secondMillis, appendMillis);
    }

    private static void observe(EmittedRecords records, String service, long secondMillis, long appendMillis) {
        take(
                records,
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
        answer(records, id, startedAtMillis, appendMillis);
    }

    private static void answer(EmittedRecords records, String id, long startedAtMillis, long appendMillis) {
        take(
                records,
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

    private void degraded(String service, AnswerKind kind, String... items) {
        take(
                Topic.ANSWERS,
                "d",
                NOW,
                Codecs.ANSWER.encode(AnswerBuilder.builder()
                        .service(service)
                        .queryId("d")
                        .queryClass("high")
                        .kind(kind)
                        .startedAtMillis(NOW - 50)
                        .answeredAtMillis(NOW)
                        .invocations(List.of(
                                new Invocation("web", items.length == 0 ? Outcome.TIMED_OUT : Outcome.IN_TIME, 9_000),
                                new Invocation("news", Outcome.TIMED_OUT, 9_000)))
                        .items(texts(items))
                        .build()));
    }

    private static Items texts(String... items) {
        return Items.ofTexts(items, Items.byPlace(items.length));
    }

    private void web(String... items) {
        take(
                Topic.PARTIALS,
                "d",
                NOW,
                Codecs.PARTIAL_RESULT.encode(PartialResultBuilder.builder()
                        .service("shop")
                        .queryId("d")
                        .component("web")
                        .server("")
                        .phase(Phase.ONLINE)
                        .startedAtMillis(NOW - 50)
                        .completedAtMillis(NOW)
                        .items(texts(items))
                        .build()));
    }

    private List<Rule> rules() {
        return records.findings(0, Long.MAX_VALUE).stream()
                .map(ConformFinding::rule)
                .toList();
    }

    private List<String> late() {
        return late(records);
    }

    private static List<String> late(EmittedRecords records) {
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

    @Test
    void countsOfAnotherServiceMakeAnswersOfTheOnlyCheckedServiceLate() {
        EmittedRecords ofShop = records(Optional.of("shop"));
        answer(ofShop, "held", NOW - WINDOW_MILLIS, NOW + 1_500);
        observe(ofShop, "other", NOW, NOW + 1_000);

        assertThat(late(ofShop)).singleElement().asString().contains("counts of other/front/f1");
        assertThat(ofShop.read()).isOne();
        assertThat(ofShop.services()).containsExactly("shop");
    }

    @Test
    void anAnswerThatIsNotTheMergeOfItsInTimeResultsIsFound() {
        web("a", "b", "c");
        degraded("shop", AnswerKind.ONLINE, "b", "a", "c");

        assertThat(rules()).contains(Rule.MERGE_DIFFERS);
    }

    @Test
    void theMergeAndAnAnswerWhoseResultsAreNotAllKnownAreRight() {
        degraded("shop", AnswerKind.ONLINE, "a", "b", "c");
        assertThat(rules()).doesNotContain(Rule.MERGE_DIFFERS);

        web("a", "b", "c");
        assertThat(rules()).doesNotContain(Rule.MERGE_DIFFERS);
    }

    @Test
    void withReplaysAnAnswerWithoutAnyResultInTimeNeedsNoPartialResults() {
        degraded("engine", AnswerKind.ONLINE);
        assertThat(rules()).doesNotContain(Rule.ANSWER_WITHOUT_PARTIALS);

        degraded("shop", AnswerKind.ONLINE);
        assertThat(rules()).contains(Rule.ANSWER_WITHOUT_PARTIALS);
    }

    @Test
    void aReplayOfAServiceWithoutPolicyShowsThatNoPartialResultsAreNeeded() {
        degraded("unknown", AnswerKind.ONLINE);
        degraded("unknown", AnswerKind.REPLAYED, "a");

        assertThat(rules()).doesNotContain(Rule.ANSWER_WITHOUT_PARTIALS);
    }
}
