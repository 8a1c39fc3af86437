package io.kipimo.otlp;

import static io.kipimo.otlp.Spans.TRACE;
import static io.kipimo.otlp.Spans.attribute;
import static io.kipimo.otlp.Spans.call;
import static io.kipimo.otlp.Spans.front;
import static io.kipimo.otlp.Spans.ids;
import static io.kipimo.otlp.Spans.list;
import static io.kipimo.otlp.Spans.number;
import static io.kipimo.otlp.Spans.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Unmeasurable;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attributes of other types than the conventions have: proxies and converters write texts. */
class OddAttributesTest {
    private static final SpanRules RULES = SpanRulesFile.read("expected: [web]");

    private static AnyValue whole(long number) {
        return AnyValue.newBuilder().setIntValue(number).build();
    }

    private static AnyValue flag(boolean value) {
        return AnyValue.newBuilder().setBoolValue(value).build();
    }

    private static AnyValue object(Map<String, AnyValue> fields) {
        KeyValueList.Builder list = KeyValueList.newBuilder();
        fields.forEach((k, v) -> list.addValues(KeyValue.newBuilder().setKey(k).setValue(v)));
        return AnyValue.newBuilder().setKvlistValue(list).build();
    }

    private static List<ObservedQuery> queries(SpanRules rules, Span.Builder... spans) {
        return TraceEvents.of(
                rules,
                TRACE,
                Arrays.stream(spans)
                        .map(s -> ReceivedSpan.of("shop", s.build()))
                        .toList());
    }

    private static AnyValue typed(String type, String value) {
        return switch (type) {
            case "text" -> text(value);
            case "whole" -> whole(Long.parseLong(value));
            case "double" -> number(Double.parseDouble(value));
            case "flag" -> flag(Boolean.parseBoolean(value));
            default -> list(List.of(text(value)));
        };
    }

    /**
     * Envoy and Istio write all tags as texts, {@code 0} without an answer and {@code -} for none; gRPC's conventions
     * have numbers, later names.
     */
    @ParameterizedTest
    @CsvSource({
        "http.response.status_code, whole, 200, false",
        "http.response.status_code, text, 200, false",
        "http.response.status_code, double, 200, false",
        "http.response.status_code, list, 204, false",
        "http.status_code, text, 200, false",
        "http.status_code, text, 200 OK, false",
        "http.status_code, text, ' 201 ', false",
        "http.status_code, double, 503, true",
        "http.status_code, text, 503, true",
        "http.status_code, text, 0, true",
        "http.status_code, text, 2000, true",
        "http.status_code, text, ok, true",
        "http.status_code, text, -, false",
        "http.status_code, text, '', false",
        "rpc.grpc.status_code, whole, 0, false",
        "rpc.grpc.status_code, whole, 14, true",
        "grpc.status_code, text, 0, false",
        "grpc.status_code, text, 4, true",
        "rpc.response.status_code, text, OK, false",
        "rpc.response.status_code, text, DEADLINE_EXCEEDED, true",
        "error, flag, true, true",
        "error, text, true, true",
        "error, text, false, false",
        "otel.status_code, text, ERROR, true",
        "otel.status_code, text, OK, false",
    })
    void statusCodesHaveSeveralTypes(String name, String type, String value, boolean isFailed) {
        Span.Builder span = front(100).addAttributes(attribute(name, typed(type, value)));

        assertThat(ReceivedSpan.of("shop", span.build()).isFailed()).isEqualTo(isFailed);
        assertThat(queries(RULES, span, call(2, "web", 5, 40).addAttributes(ids("a")))
                        .get(0)
                        .answer()
                        .whyUnmeasurable())
                .isEqualTo(isFailed ? Optional.of(Unmeasurable.FAILED_ANSWER) : Optional.empty());
    }

    @Test
    void aParentOfZerosIsNone() {
        ByteString zeros = ByteString.copyFrom(new byte[8]);
        Span.Builder first = front(100).setParentSpanId(zeros);
        Span.Builder second =
                front(100).setSpanId(Spans.id(7)).setParentSpanId(zeros).setName("other");

        assertThat(queries(RULES, first, second))
                .extracting(query -> query.answer().queryId())
                .containsExactly(TRACE, TRACE + "-0000000000000007");
    }

    private static Optional<Map<String, Float>> items(KeyValue... attributes) {
        return SpanItems.of(ReceivedSpan.of(
                "shop", Span.newBuilder().addAllAttributes(List.of(attributes)).build()));
    }

    private static KeyValue document(int number, String field, AnyValue value) {
        return attribute("retrieval.documents." + number + ".document." + field, value);
    }

    /** LangChain's documents have content alone. */
    @Test
    void contentIdentifiesADocumentWithoutAnId() {
        Map<String, Float> first = items(document(0, "content", text("one")), document(1, "content", text("two")))
                .orElseThrow();
        Map<String, Float> second = items(document(0, "content", text("two"))).orElseThrow();

        assertThat(first).hasSize(2).containsKeys(second.keySet().toArray(new String[0]));
        assertThat(first.keySet()).containsExactly(Names.digest("one"), Names.digest("two"));
        assertThat(first.values()).containsExactly(1f, 0.5f);
        assertThat(items(
                        document(0, "id", text("x")),
                        document(0, "content", text("one")),
                        document(0, "score", text("0.5")),
                        document(1, "id", whole(7)),
                        document(1, "score", whole(2))))
                .contains(Map.of("x", 0.5f, "7", 2f));
    }

    @Test
    void contentThatIsHiddenOrTheSameIdentifiesNothing() {
        assertThat(items(document(0, "content", text("__REDACTED__")))).isEmpty();
        assertThat(items(document(0, "content", text("")))).isEmpty();
        assertThat(items(document(0, "score", number(1)))).isEmpty();
        assertThat(items(document(0, "content", text("...")), document(1, "content", text("..."))))
                .isEmpty();
    }

    /** OpenInference writes no attribute for an empty list, but what the retriever returned. */
    @Test
    void anEmptyListOfOpenInferenceIsSeenInItsOutput() {
        assertThat(items(attribute("output.value", text("{\"documents\": []}"))))
                .contains(Map.of());
        assertThat(items(attribute("output.value", text("{\"documents\": [\"Document(id=c)\"]}"))))
                .isEmpty();
        assertThat(items(attribute("output.value", text("__REDACTED__")))).isEmpty();
    }

    @Test
    void documentsMayBeStructuredOrJsonOrTextsOfJson() {
        String x = "{\"id\": \"x\", \"score\": 0.5}";
        String y = "{\"id\": 7.0, \"score\": \"2\"}";
        AnyValue structured = list(List.of(
                object(Map.of("id", text("x"), "score", number(0.5))),
                object(Map.of("id", number(7), "score", text("2")))));
        for (AnyValue value : List.of(structured, text("[" + x + "," + y + "]"), list(List.of(text(x), text(y))))) {
            for (String name : List.of(SpanItems.DOCUMENTS, "retrieval.documents")) {
                assertThat(items(attribute(name, value))).contains(Map.of("x", 0.5f, "7", 2f));
            }
        }
        // Not the text "null".
        assertThat(items(attribute(SpanItems.DOCUMENTS, text("[{\"id\": null}]"))))
                .isEmpty();
        assertThat(items(attribute(SpanItems.DOCUMENTS, text("[{\"id\": [1]}]"))))
                .isEmpty();
        assertThat(items(attribute(SpanItems.DOCUMENTS, text("[")))).isEmpty();
        assertThat(items(attribute(SpanItems.DOCUMENTS, text("[" + "[".repeat(5_000)))))
                .isEmpty();
        assertThat(items(attribute(SpanItems.DOCUMENTS, text("[" + "{},".repeat(2_000_000)))))
                .isEmpty();
        assertThat(items(attribute(SpanItems.DOCUMENTS, text("[]")))).contains(Map.of());
    }

    @Test
    void idsMayBeJsonOfAListAndScoresTexts() {
        for (AnyValue ids : List.of(list(List.of(text("a"), number(7))), text("[\"a\", 7]"))) {
            for (AnyValue scores : List.of(
                    list(List.of(number(0.5), number(2))), list(List.of(text("0.5"), text("2"))), text("[0.5, 2]"))) {
                assertThat(items(attribute(SpanItems.IDS, ids), attribute(SpanItems.SCORES, scores)))
                        .contains(Map.of("a", 0.5f, "7", 2f));
            }
        }
        assertThat(items(ids("a", ""))).isEmpty();
        // What no reader takes becomes a digest.
        assertThat(items(ids("a\u0001", "x".repeat(300))).orElseThrow().keySet())
                .containsExactly(Names.identifier("a\u0001"), Names.identifier("x".repeat(300)));
    }

    @Test
    void namesOfComponentsAndSignsOfCutsMayBeLists() {
        SpanRules rules = SpanRulesFile.read("{expected: [web], class: tier, classes: {paid: {}, free: {}},"
                + " cut-when: {http.response.header.partial: ['true', '1']}}");
        Span.Builder web = call(2, "web", 5, 40).addAttributes(ids("a"));
        for (AnyValue asked :
                List.of(list(List.of(text("web"), text("ads"))), text("[\"web\",\"ads\"]"), text("web, ads"))) {
            Span.Builder front = front(100)
                    .addAttributes(attribute("kipimo.components", asked))
                    .addAttributes(attribute("tier", list(List.of(text("paid")))));
            Answer answer = queries(rules, front, web).get(0).answer();
            assertThat(answer.invocations()).extracting(Invocation::component).containsExactly("web", "ads");
            assertThat(answer.queryClass()).isEqualTo("paid");
        }
        for (AnyValue partial : List.of(text("true"), flag(true), number(1), list(List.of(text("no"), text("true"))))) {
            web = call(2, "web", 5, 40)
                    .addAttributes(ids("a"))
                    .addAttributes(attribute("http.response.header.partial", partial));
            assertThat(queries(rules, front(100), web).get(0).answer().whyUnmeasurable())
                    .contains(Unmeasurable.CUT);
        }
    }

    private static String oddText(Random random) {
        StringBuilder out = new StringBuilder();
        int size = random.nextInt(4) == 0 ? 240 + random.nextInt(80) : random.nextInt(6);
        String odd = "/\u0000\n\u007f\u009b\u202e\ud83d\ude00ab ";
        for (int i = 0; i < size; i++) {
            out.append(
                    random.nextInt(8) == 0 ? (char) random.nextInt(0x10000) : odd.charAt(random.nextInt(odd.length())));
        }
        return out.toString();
    }

    private static AnyValue oddValue(Random random, int depth) {
        return switch (random.nextInt(depth > 2 ? 5 : 8)) {
            case 0 -> whole(random.nextLong());
            case 1 -> number(random.nextBoolean() ? Double.NaN : random.nextGaussian() * 1e300);
            case 2 -> flag(random.nextBoolean());
            case 3 ->
                AnyValue.newBuilder()
                        .setBytesValue(ByteString.copyFromUtf8("xy"))
                        .build();
            case 4 -> text(oddText(random));
            case 5 -> object(Map.of("id", oddValue(random, depth + 1)));
            case 6 -> AnyValue.getDefaultInstance();
            default -> {
                List<AnyValue> values = new ArrayList<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    values.add(oddValue(random, depth + 1));
                }
                yield list(values);
            }
        };
    }

    /** Whatever the receiver accepts, readers accept. */
    @Test
    void whateverIsEmittedIsReadable() throws Exception {
        String[] names = {
            "kipimo.component",
            "kipimo.components",
            "kipimo.items.ids",
            "kipimo.items.scores",
            "gen_ai.retrieval.documents",
            "retrieval.documents.0.document.id",
            "kipimo.class",
            "retrieval.documents.1.document.content",
            "kipimo.variant",
            "server.address",
            "http.status_code",
            "peer.service"
        };
        SpanRules rules = SpanRulesFile.read("");
        int results = 0;
        for (long seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            List<Span.Builder> spans = new ArrayList<>(List.of(front(100)));
            for (int id = 2; id < 2 + random.nextInt(6); id++) {
                Span.Builder call = call(id, "x", random.nextInt(90), 90 + random.nextInt(20));
                spans.add((random.nextBoolean() ? call.clearAttributes() : call).setName(oddText(random)));
            }
            for (Span.Builder span : spans) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    span.addAttributes(attribute(names[random.nextInt(names.length)], oddValue(random, 0)));
                }
            }
            List<ReceivedSpan> received = spans.stream()
                    .map(s -> ReceivedSpan.of(oddText(new Random(7)), s.build()))
                    .toList();
            for (ObservedQuery query : TraceEvents.of(rules, TRACE, received)) {
                Answer answer = query.answer();
                assertThat(Codecs.ANSWER.decode(Codecs.ANSWER.encode(answer)))
                        .describedAs("seed %s", seed)
                        .usingRecursiveComparison()
                        .isEqualTo(answer);
                List<PartialResult> partials = new ArrayList<>(query.online());
                partials.addAll(query.late());
                for (PartialResult partial : partials) {
                    PartialResult read = Codecs.PARTIAL_RESULT.decode(Codecs.PARTIAL_RESULT.encode(partial));
                    assertThat(read.component()).isEqualTo(partial.component());
                    assertThat(read.items().texts()).isEqualTo(partial.items().texts());
                    results++;
                }
            }
        }
        assertThat(results).isGreaterThan(300);
    }
}
