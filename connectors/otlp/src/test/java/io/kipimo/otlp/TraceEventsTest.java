package io.kipimo.otlp;

import static io.kipimo.otlp.Spans.START;
import static io.kipimo.otlp.Spans.TRACE;
import static io.kipimo.otlp.Spans.attribute;
import static io.kipimo.otlp.Spans.call;
import static io.kipimo.otlp.Spans.front;
import static io.kipimo.otlp.Spans.ids;
import static io.kipimo.otlp.Spans.list;
import static io.kipimo.otlp.Spans.scores;
import static io.kipimo.otlp.Spans.span;
import static io.kipimo.otlp.Spans.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Unmeasurable;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TraceEventsTest {
    private static final SpanRules DEFAULTS = SpanRulesFile.read("");
    private static final SpanRules EXPECTED = SpanRulesFile.read("expected: [ads, web]");
    private static final Status ERROR =
            Status.newBuilder().setCode(StatusCode.STATUS_CODE_ERROR).build();

    private static List<ObservedQuery> queries(SpanRules rules, Span.Builder... spans) {
        return TraceEvents.of(
                rules,
                TRACE,
                Arrays.stream(spans)
                        .map(s -> ReceivedSpan.of("shop", s.build()))
                        .toList());
    }

    private static ObservedQuery query(SpanRules rules, Span.Builder... spans) {
        List<ObservedQuery> queries = queries(rules, spans);
        assertThat(queries).hasSize(1);
        return queries.get(0);
    }

    private static List<Outcome> outcomes(ObservedQuery query) {
        return query.answer().invocations().stream().map(Invocation::outcome).toList();
    }

    @Test
    void theFrontsOwnListSaysWhetherTheUserGotAnything() {
        Span.Builder result = call(2, "ads", 5, 40).addAttributes(ids());
        assertThat(query(DEFAULTS, front(100).addAttributes(ids()), result).listed())
                .hasValue(0);
        assertThat(query(DEFAULTS, front(100).addAttributes(ids("a", "b")), result)
                        .listed())
                .hasValue(2);
        assertThat(query(DEFAULTS, front(100), result).listed())
                .as("of a component alone")
                .isEmpty();
    }

    @Test
    void aComponentThatEndsAfterTheAnswerTimedOutAndItsItemsAreMature() {
        ObservedQuery query = query(
                EXPECTED,
                front(100),
                call(2, "ads", 5, 40).addAttributes(ids("a", "b")),
                call(3, "web", 10, 250).addAttributes(ids("c", "d")).addAttributes(scores(0.9, 0.5)));

        assertThat(query.answer().service()).isEqualTo("shop");
        assertThat(query.answer().queryId()).isEqualTo(TRACE);
        assertThat(query.answer().queryClass()).isEqualTo("default");
        assertThat(query.answer().startedAtMillis()).isEqualTo(START);
        assertThat(query.answer().answeredAtMillis()).isEqualTo(START + 100);
        assertThat(query.answer().whyUnmeasurable()).isEmpty();
        assertThat(query.answer().invocations())
                .containsExactly(
                        new Invocation("ads", Outcome.IN_TIME, 35_000),
                        new Invocation("web", Outcome.TIMED_OUT, 90_000));
        assertThat(query.online()).singleElement().satisfies(partial -> {
            assertThat(partial.phase()).isEqualTo(Phase.ONLINE);
            assertThat(partial.items().texts()).containsExactly("a", "b");
            assertThat(partial.items().scores()).containsExactly(1f, 0.5f);
        });
        assertThat(query.late()).singleElement().satisfies(partial -> {
            assertThat(partial.phase()).isEqualTo(Phase.MATURE);
            assertThat(partial.completedAtMillis()).isEqualTo(START + 250);
            assertThat(partial.latencyMicros()).isEqualTo(240_000);
            assertThat(partial.startedAtMillis()).isEqualTo(START);
            assertThat(partial.items().texts()).containsExactly("c", "d");
            assertThat(partial.items().scores()).containsExactly(0.9f, 0.5f);
        });
    }

    /** A front end that stalls past its deadline may leave out a result whose span has ended. */
    @Test
    void atItsDeadlineAnAnswerIsNotWholeBecauseAllSpansEndedBefore() {
        SpanRules rules = SpanRulesFile.read("{expected: [ads, web], deadline: 100ms}");
        Span.Builder ads = call(2, "ads", 5, 40).addAttributes(ids("a"));
        Span.Builder web = call(3, "web", 5, 95).addAttributes(ids("b"));
        Span.Builder after = call(3, "web", 5, 104).addAttributes(ids("b"));

        assertThat(query(rules, front(98), ads, web).answer().whyUnmeasurable()).isEmpty();
        assertThat(query(rules, front(100), ads, web).answer().whyUnmeasurable())
                .contains(Unmeasurable.CUT);
        assertThat(query(rules, front(130), ads, web).answer().whyUnmeasurable())
                .contains(Unmeasurable.CUT);
        assertThat(query(rules, front(130), after).answer().whyUnmeasurable())
                .as("whether the front end took it, nobody knows")
                .contains(Unmeasurable.CUT);
        assertThat(query(rules, front(100), ads, after).answer().whyUnmeasurable())
                .isEmpty();
        assertThat(query(rules, front(100), ads).answer().whyUnmeasurable()).isEmpty();
    }

    @Test
    void theItemsOfTheFrontAreThoseOfTheAnswer() {
        Span.Builder web = call(2, "web", 5, 40).addAttributes(ids("a"));

        assertThat(query(DEFAULTS, front(100), web).answer().items().isEmpty()).isTrue();
        assertThat(query(DEFAULTS, front(100).addAttributes(ids("b", "a")), web)
                        .answer()
                        .items()
                        .texts())
                .containsExactly("b", "a");
    }

    @Test
    void anAttributeOfTheFrontNamesTheVariant() {
        Span.Builder web = call(2, "web", 5, 40);
        SpanRules renamed = SpanRulesFile.read("variant: app.release");
        Span.Builder released = front(100)
                .addAttributes(attribute("kipimo.variant", text("a/b")))
                .addAttributes(attribute("app.release", text("canary")));

        assertThat(query(DEFAULTS, front(100), web).answer().variant()).isEmpty();
        assertThat(query(DEFAULTS, released, web).answer().variant()).isEqualTo("a_b");
        assertThat(query(renamed, released, web).answer().variant()).isEqualTo("canary");
    }

    @Test
    void anErrorFailsAndAnExpectedComponentWithoutASpanTimedOut() {
        ObservedQuery query = query(
                EXPECTED, front(100), call(2, "web", 5, 40).setStatus(ERROR).addAttributes(ids("a")));

        assertThat(query.answer().invocations())
                .containsExactly(
                        new Invocation("web", Outcome.FAILED, 35_000),
                        new Invocation("ads", Outcome.TIMED_OUT, 100_000));
        assertThat(query.answer().whyUnmeasurable()).isEmpty();
        assertThat(query.online()).isEmpty();
        assertThat(query.late()).isEmpty();
    }

    @Test
    void aStatusOutside2xxFails() {
        AnyValue status = AnyValue.newBuilder().setIntValue(404).build();
        Span.Builder call = call(2, "web", 5, 40).addAttributes(attribute("http.response.status_code", status));

        assertThat(outcomes(query(DEFAULTS, front(100), call))).containsExactly(Outcome.FAILED);
        assertThat(query(DEFAULTS, front(100).addAttributes(attribute("http.status_code", status)), call)
                        .answer()
                        .whyUnmeasurable())
                .contains(Unmeasurable.FAILED_ANSWER);
    }

    /** Nothing says what else was asked, or what came back. */
    @Test
    void anAnswerIsCompleteOnlyIfItsComponentsAndTheirItemsAreKnown() {
        Span.Builder ads = call(2, "ads", 5, 40);
        Span.Builder web = call(3, "web", 5, 40);
        Span.Builder adsItems = call(2, "ads", 5, 40).addAttributes(ids("a"));
        Span.Builder webItems = call(3, "web", 5, 40).addAttributes(ids());
        SpanRules trusting = SpanRulesFile.read("{expected: [ads, web], without-items: complete}");
        assertThat(SpanRulesFile.read("{expected: [ads, web], complete-without-items: true}"))
                .as("its former name")
                .isEqualTo(trusting);

        assertThat(query(DEFAULTS, front(100), adsItems, webItems).answer().whyUnmeasurable())
                .contains(Unmeasurable.NO_COMPONENTS);
        assertThat(query(EXPECTED, front(100), ads, web).answer().whyUnmeasurable())
                .contains(Unmeasurable.UNREADABLE);
        assertThat(query(EXPECTED, front(100), adsItems, webItems).answer().whyUnmeasurable())
                .isEmpty();
        assertThat(query(trusting, front(100), ads, web).answer().whyUnmeasurable())
                .isEmpty();
        assertThat(query(DEFAULTS, front(100)).answer().whyUnmeasurable()).contains(Unmeasurable.NO_COMPONENTS);
        assertThat(query(EXPECTED, front(100)).answer().whyUnmeasurable()).contains(Unmeasurable.NOT_ASKED);
        assertThat(query(EXPECTED, front(100)).answer().invocations()).isEmpty();
    }

    @Test
    void theFrontMayNameTheComponentsThatItAsked() {
        Span.Builder front = front(100).addAttributes(attribute(TraceEvents.ASKED, list(List.of(text("news")))));

        assertThat(query(EXPECTED, front, call(2, "news", 5, 40).addAttributes(ids("a")))
                        .answer()
                        .whyUnmeasurable())
                .isEmpty();
        assertThat(query(EXPECTED, front, call(2, "web", 5, 40).addAttributes(ids("a")))
                        .answer()
                        .invocations())
                .extracting(Invocation::component, Invocation::outcome)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("web", Outcome.IN_TIME),
                        org.assertj.core.groups.Tuple.tuple("news", Outcome.TIMED_OUT));
    }

    @Test
    void aDegradedAnswerWithoutItemsIsCountedAndHasNoResults() {
        ObservedQuery query = query(DEFAULTS, front(100), call(2, "web", 5, 200));

        assertThat(outcomes(query)).containsExactly(Outcome.TIMED_OUT);
        assertThat(query.answer().whyUnmeasurable()).isEmpty();
        assertThat(query.late()).isEmpty();
    }

    @Test
    void whatACutSignMarksIsNotComplete() {
        SpanRules rules = SpanRulesFile.read("{expected: [web], cut-when: {search.partial: 'true'}}");
        Span.Builder web = call(2, "web", 5, 40).addAttributes(ids("a"));
        AnyValue isPartial = AnyValue.newBuilder().setBoolValue(true).build();

        assertThat(query(rules, front(100), web).answer().whyUnmeasurable()).isEmpty();
        web.addAttributes(attribute("search.partial", isPartial));
        assertThat(query(rules, front(100), web).answer().whyUnmeasurable()).contains(Unmeasurable.CUT);
    }

    @Test
    void severalCallsOfAComponentAreOneResultWithTheWorstOutcome() {
        ObservedQuery both = query(
                EXPECTED,
                front(100),
                call(2, "web", 5, 40).addAttributes(ids("a", "b")),
                call(3, "web", 50, 80).addAttributes(ids("c")));
        assertThat(outcomes(both)).startsWith(Outcome.IN_TIME);
        assertThat(both.online().get(0).items().texts()).containsExactly("a", "b", "c");

        ObservedQuery one = query(
                EXPECTED,
                front(100),
                call(2, "web", 5, 40).addAttributes(ids("a")),
                call(3, "web", 50, 180).addAttributes(ids("c")));
        assertThat(outcomes(one)).startsWith(Outcome.TIMED_OUT);
        assertThat(one.late()).extracting(PartialResult::component).containsExactly("web");
        assertThat(one.late().get(0).items().texts()).containsExactly("c");
        // What came in time was part of the answer.
        assertThat(one.online()).extracting(PartialResult::component).containsExactly("web (in time)");
        assertThat(one.online().get(0).items().texts()).containsExactly("a");
    }

    /** The server's span of a component, its own calls, and work after the answer. */
    @Test
    void onlyTheOutermostCallsBeforeTheAnswerCount() {
        ObservedQuery query = query(
                DEFAULTS,
                front(100),
                span(8, 1, SpanKind.SPAN_KIND_INTERNAL, "merge", 1, 90),
                span(2, 8, SpanKind.SPAN_KIND_CLIENT, "GET", 5, 40)
                        .addAttributes(attribute("server.address", text("web-1"))),
                span(3, 2, SpanKind.SPAN_KIND_SERVER, "GET /web", 6, 39),
                span(4, 3, SpanKind.SPAN_KIND_CLIENT, "SELECT", 7, 38),
                span(5, 1, SpanKind.SPAN_KIND_CLIENT, "POST /analytics", 101, 150));

        assertThat(query.answer().invocations())
                .extracting(Invocation::component)
                .containsExactly("web-1");
    }

    /** The client's span of a component was lost; its server's span is no query. */
    @Test
    void aServerBelowALostSpanIsNoQuery() {
        ObservedQuery query = query(DEFAULTS, front(100), span(3, 77, SpanKind.SPAN_KIND_SERVER, "GET /web", 6, 39));

        assertThat(query.answer().answeredAtMillis()).isEqualTo(START + 100);
    }

    @Test
    void aFrontMayHaveACallerThatSendsNoSpans() {
        assertThat(query(DEFAULTS, span(1, 77, SpanKind.SPAN_KIND_SERVER, "GET /s", 0, 100), call(2, "web", 5, 140))
                        .answer()
                        .queryId())
                .isEqualTo(TRACE);
    }

    @Test
    void aTraceMayHaveSeveralQueries() {
        List<ObservedQuery> queries = queries(
                DEFAULTS,
                span(9, 0, SpanKind.SPAN_KIND_INTERNAL, "agent", 0, 500),
                span(1, 9, SpanKind.SPAN_KIND_SERVER, "GET /s", 0, 100),
                call(2, "web", 5, 40),
                span(5, 9, SpanKind.SPAN_KIND_SERVER, "GET /s", 200, 300));

        assertThat(queries).extracting(q -> q.answer().queryId()).containsExactly(TRACE, TRACE + "-0000000000000005");
        assertThat(queries.get(1).answer().invocations()).isEmpty();
    }

    @Test
    void aTraceWithoutAFrontHasNoQueries() {
        assertThat(queries(DEFAULTS, call(2, "web", 5, 40))).isEmpty();
    }

    @Test
    void parentsThatFormACircleEnd() {
        assertThat(queries(
                        DEFAULTS,
                        span(2, 3, SpanKind.SPAN_KIND_CLIENT, "a", 0, 1),
                        span(3, 2, SpanKind.SPAN_KIND_SERVER, "b", 0, 1)))
                .hasSize(1);
    }

    @Test
    void theClassIsAnAttributeAndUnknownOnesAreTheLast() {
        SpanRules rules = SpanRulesFile.read("{class: tier, classes: {paid: {}, free: {}}}");

        assertThat(query(rules, front(9).addAttributes(attribute("tier", text("paid"))))
                        .answer()
                        .queryClass())
                .isEqualTo("paid");
        assertThat(query(rules, front(9).addAttributes(attribute("tier", text("other"))))
                        .answer()
                        .queryClass())
                .isEqualTo("free");
    }

    @Test
    void namesHaveNoCharactersThatMessagesRefuse() {
        assertThat(query(DEFAULTS, front(100), call(2, "GET /web\n", 5, 40))
                        .answer()
                        .invocations())
                .extracting(Invocation::component)
                .containsExactly("GET _web_");
    }

    @Test
    void presetsReadGenAiAndOpenInference() {
        AnyValue json = text("[{\"id\":\"d1\",\"score\":0.9},{\"id\":7,\"score\":0.5}]");
        ObservedQuery genAi = query(
                SpanRulesFile.read("{preset: gen-ai, expected: [wiki]}"),
                front(100),
                span(3, 1, SpanKind.SPAN_KIND_CLIENT, "chat m", 50, 90)
                        .addAttributes(attribute("gen_ai.operation.name", text("chat"))),
                span(2, 1, SpanKind.SPAN_KIND_CLIENT, "retrieval wiki", 5, 40)
                        .addAttributes(attribute("gen_ai.operation.name", text("retrieval")))
                        .addAttributes(attribute("gen_ai.data_source.id", text("wiki")))
                        .addAttributes(attribute(SpanItems.DOCUMENTS, json)));
        assertThat(genAi.answer().whyUnmeasurable()).isEmpty();
        assertThat(genAi.online().get(0).items().texts()).containsExactly("d1", "7");
        assertThat(genAi.online().get(0).items().scores()).containsExactly(0.9f, 0.5f);

        ObservedQuery openInference = query(
                SpanRulesFile.read("{preset: openinference}"),
                span(1, 0, SpanKind.SPAN_KIND_INTERNAL, "ask", 0, 100)
                        .addAttributes(attribute("openinference.span.kind", text("CHAIN"))),
                span(2, 1, SpanKind.SPAN_KIND_INTERNAL, "Retriever", 5, 140)
                        .addAttributes(attribute("openinference.span.kind", text("RETRIEVER")))
                        .addAttributes(attribute("retrieval.documents.1.document.id", text("y")))
                        .addAttributes(attribute("retrieval.documents.0.document.id", text("x"))));
        assertThat(openInference.late().get(0).component()).isEqualTo("Retriever");
        assertThat(openInference.late().get(0).items().texts()).containsExactly("x", "y");
        assertThat(openInference.late().get(0).items().scores()).containsExactly(1f, 0.5f);
    }

    private static Span.Builder langChain(int id, String name, String status, String output) {
        Span.Builder span = span(id, 9, SpanKind.SPAN_KIND_CLIENT, "vector_db_retrieve " + name, 5, 40)
                .addAttributes(attribute("gen_ai.operation.name", text("vector_db_retrieve")))
                .addAttributes(attribute("traceloop.span.kind", text("task")))
                .addAttributes(attribute("traceloop.entity.name", text(name)))
                .addAttributes(attribute("gen_ai.task.status", text(status)));
        return output.isEmpty()
                ? span.setStatus(Status.newBuilder().setCode(StatusCode.STATUS_CODE_ERROR))
                : span.addAttributes(attribute("gen_ai.task.output", text(output)));
    }

    /**
     * Spans as opentelemetry-instrumentation-langchain 0.62.4 sends them for two retrievers of a RunnableParallel, one
     * of which raises, and whose fallback is an empty list: the answer looks whole to its user.
     */
    @Test
    void aRetrieverOfLangChainThatFailedSilentlyLacksInTheAnswer() {
        String documents = "{\"documents\": [{\"page_content\": \"A\", \"metadata\": {\"score\": 0.9}}, "
                + "{\"page_content\": \"B\", \"metadata\": {}}], \"count\": 2}";
        String rules = "{preset: gen-ai, expected: [titles, texts]}";
        Span.Builder chain = span(9, 1, SpanKind.SPAN_KIND_INTERNAL, "RunnableParallel<titles,texts>.workflow", 1, 60)
                .addAttributes(attribute("gen_ai.operation.name", text("invoke_agent")));
        ObservedQuery failed = query(
                SpanRulesFile.read(rules),
                front(100),
                chain,
                langChain(2, "titles", "success", documents),
                langChain(3, "texts", "failure", ""));
        assertThat(failed.answer().whyUnmeasurable()).isEmpty();
        assertThat(failed.answer().invocations())
                .extracting(Invocation::component, Invocation::outcome)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("titles", Outcome.IN_TIME),
                        org.assertj.core.groups.Tuple.tuple("texts", Outcome.FAILED));
        assertThat(failed.online().get(0).items().scores()).containsExactly(1f, 0.5f);

        ObservedQuery whole = query(
                SpanRulesFile.read(rules),
                front(100),
                chain,
                langChain(2, "titles", "success", documents),
                langChain(3, "texts", "success", "{\"documents\": [], \"count\": 0}"));
        assertThat(whole.answer().whyUnmeasurable()).isEmpty();
        assertThat(outcomes(whole)).containsOnly(Outcome.IN_TIME);

        ObservedQuery cut = query(
                SpanRulesFile.read(rules),
                front(100),
                chain,
                langChain(2, "titles", "success", documents.replace("\"count\": 2", "\"count\": 3")),
                langChain(3, "texts", "success", documents.substring(0, 40)));
        assertThat(cut.answer().whyUnmeasurable()).contains(Unmeasurable.UNREADABLE);
    }

    private static Span.Builder inner(int id, int parent, String name, boolean isFailed, long from, long to) {
        Span.Builder span = span(id, parent, SpanKind.SPAN_KIND_INTERNAL, name, from, to);
        return isFailed ? span.setStatus(Status.newBuilder().setCode(StatusCode.STATUS_CODE_ERROR)) : span;
    }

    private static Outcome texts(String rules, Span.Builder... spans) {
        return query(SpanRulesFile.read("{expected: [texts]" + rules + "}"), spans).answer().invocations().stream()
                .filter(call -> call.component().equals("texts"))
                .map(Invocation::outcome)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCallThatCatchesAnErrorAndAnswersWithAnEmptyListHasFailed() {
        Span.Builder nothing = call(2, "texts", 5, 40).addAttributes(ids());
        Span.Builder something = call(2, "texts", 5, 40).addAttributes(ids("a"));
        Span.Event exception =
                Span.Event.newBuilder().setName("exception").setTimeUnixNano(1).build();
        Span.Builder failed = inner(3, 2, "search", true, 6, 10);

        assertThat(texts("", front(100), nothing)).isEqualTo(Outcome.IN_TIME);
        assertThat(texts("", front(100), nothing.clone().addEvents(exception))).isEqualTo(Outcome.FAILED);
        assertThat(texts(
                        "",
                        front(100),
                        nothing.clone().addEvents(exception.toBuilder().setName("cache miss"))))
                .isEqualTo(Outcome.IN_TIME);
        assertThat(texts("", front(100), nothing, failed)).isEqualTo(Outcome.FAILED);
        assertThat(texts(
                        "", front(100), nothing, inner(4, 2, "step", false, 6, 30), inner(3, 4, "search", true, 6, 10)))
                .isEqualTo(Outcome.FAILED);
        // It was tried again; another search that ran meanwhile says nothing.
        assertThat(texts("", front(100), nothing, failed, inner(4, 2, "search", false, 10, 20)))
                .isEqualTo(Outcome.IN_TIME);
        assertThat(texts("", front(100), nothing, failed, inner(4, 2, "search", false, 6, 20)))
                .isEqualTo(Outcome.FAILED);
        // Who has items has coped with the error.
        assertThat(texts("", front(100), something, failed)).isEqualTo(Outcome.IN_TIME);
        // Even a late empty list does not show that nothing is missing.
        assertThat(texts("", front(30), nothing, failed)).isEqualTo(Outcome.FAILED);
    }

    /** OpenTelemetry's SDK of Python ends the span of a call that was cancelled without an error. */
    @Test
    void aCallWithoutItemsHasFailedIfEachThatComesToItsEndHasThem() {
        Span.Builder cancelled = call(2, "texts", 5, 40);

        assertThat(texts(", without-items: failed", front(100), cancelled)).isEqualTo(Outcome.FAILED);
        assertThat(texts(
                        ", without-items: failed", front(100), cancelled.clone().addAttributes(ids())))
                .isEqualTo(Outcome.IN_TIME);
        assertThat(texts("", front(100), cancelled)).isEqualTo(Outcome.IN_TIME);
    }

    private static HeadSampling sampling(String traceState) {
        return query(DEFAULTS, front(9).setTraceState(traceState)).sampling();
    }

    /** Thresholds of OpenTelemetry's specification: c rejects 75 %, 8 half, 0 nothing. */
    @Test
    void headSamplingIsReadFromTheTraceState() {
        assertThat(sampling("")).isEqualTo(new HeadSampling(1, false));
        assertThat(sampling("ot=th:c")).isEqualTo(new HeadSampling(0.25, true));
        assertThat(sampling("a=b, ot=rv:00000000000001;th:8")).isEqualTo(new HeadSampling(0.5, false));
        assertThat(sampling("ot=th:0")).isEqualTo(new HeadSampling(1, true));
        assertThat(sampling("ot=th:fd70a3d70a3d71").probability()).isCloseTo(0.01, within(1e-12));
        assertThat(sampling("x=th:c,not=th:c")).isEqualTo(new HeadSampling(1, false));
        assertThat(query(SpanRulesFile.read("sampling: {head: 0.1}"), front(9)).sampling())
                .isEqualTo(new HeadSampling(0.1, false));
    }

    /** Kipimo samples by the same bits of the trace id, so what it samples has been kept. */
    @Test
    void aTracersThresholdKeepsWhatKipimoSamplesAtALowerRate() {
        Random random = new Random(3);
        int sampled = 0;
        for (int i = 0; i < 10_000; i++) {
            String id = "%016x%016x".formatted(random.nextLong(), random.nextLong());
            boolean isKept = Long.parseLong(id.substring(18), 16) >= 0xc0000000000000L;
            if (ConsistentSampling.isSampled(id, 0.2)) {
                assertThat(isKept).isTrue();
                sampled++;
            }
        }
        assertThat(sampled).isBetween(1_800, 2_200);
    }
}
