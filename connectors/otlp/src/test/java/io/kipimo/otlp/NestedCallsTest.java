package io.kipimo.otlp;

import static io.kipimo.otlp.Spans.TRACE;
import static io.kipimo.otlp.Spans.attribute;
import static io.kipimo.otlp.Spans.call;
import static io.kipimo.otlp.Spans.front;
import static io.kipimo.otlp.Spans.ids;
import static io.kipimo.otlp.Spans.span;
import static io.kipimo.otlp.Spans.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.quality.Unmeasurable;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Calls within calls, and several of one name. Names, parents and attributes are those that
 * openinference-instrumentation-llama-index 4 and -langchain 0.1 wrote for a fusion of two retrievers in a query
 * engine, and for an ensemble of three.
 */
class NestedCallsTest {
    private static final Status ERROR =
            Status.newBuilder().setCode(StatusCode.STATUS_CODE_ERROR).build();
    private static final String FUSION = "QueryFusionRetriever.retrieve";
    private static final SpanRules OF_FUSION = rules("[" + FUSION + "]");
    private static final SpanRules OF_BOTH = rules("[Titles.aretrieve, Texts.aretrieve]");

    private static SpanRules rules(String expected) {
        return SpanRulesFile.read("{preset: openinference, expected: " + expected + "}");
    }

    private static Span.Builder ofKind(String kind, int id, int parent, String name, long from, long to) {
        return span(id, parent, SpanKind.SPAN_KIND_INTERNAL, name, from, to)
                .addAttributes(attribute("openinference.span.kind", text(kind)));
    }

    private static Span.Builder retriever(int id, int parent, String name, long from, long to) {
        return ofKind("RETRIEVER", id, parent, name, from, to);
    }

    private static Span.Builder with(Span.Builder retriever, String... documents) {
        for (int i = 0; i < documents.length; i++) {
            retriever.addAttributes(attribute("retrieval.documents." + i + ".document.id", text(documents[i])));
        }
        return retriever;
    }

    /** A query engine that answers after 100 ms; its fusion of two retrievers ends after 64. */
    private static List<Span.Builder> engine(long textsEndMillis) {
        return new ArrayList<>(List.of(
                ofKind("CHAIN", 1, 0, "RetrieverQueryEngine.query", 0, 100),
                ofKind("CHAIN", 2, 1, "RetrieverQueryEngine._query", 0, 100),
                with(retriever(3, 2, FUSION, 1, 64), "a", "b"),
                retriever(4, 3, "QueryFusionRetriever._retrieve", 5, 63),
                with(retriever(5, 4, "Titles.aretrieve", 6, 28), "a", "b"),
                retriever(6, 5, "Titles._retrieve", 13, 27),
                with(retriever(7, 4, "Texts.aretrieve", 28, textsEndMillis), "c", "d"),
                retriever(8, 7, "Texts._retrieve", 30, textsEndMillis)));
    }

    private static String seen(SpanRules rules, List<Span.Builder> spans) {
        List<ObservedQuery> queries = TraceEvents.of(
                rules,
                TRACE,
                spans.stream().map(s -> ReceivedSpan.of("shop", s.build())).toList());
        assertThat(queries).hasSize(1);
        ObservedQuery query = queries.get(0);
        StringBuilder out = new StringBuilder();
        query.answer().invocations().forEach(i -> out.append(i.component())
                .append('=')
                .append(i.outcome())
                .append(' '));
        query.answer().whyUnmeasurable().ifPresent(why -> out.append(why).append(' '));
        query.online()
                .forEach(p -> out.append('+').append(String.join("", p.items().texts())));
        query.late()
                .forEach(p -> out.append('-').append(String.join("", p.items().texts())));
        return out.toString();
    }

    private static String seen(SpanRules rules, Span.Builder... spans) {
        return seen(rules, Arrays.asList(spans));
    }

    @Test
    void aRetrieverStandsForThoseThatItMergesWhileAllEndInTime() {
        assertThat(seen(OF_FUSION, engine(60))).isEqualTo(FUSION + "=IN_TIME +ab");
        assertThat(seen(OF_BOTH, engine(60))).isEqualTo("Titles.aretrieve=IN_TIME Texts.aretrieve=IN_TIME +ab+cd");
    }

    /** The merging retriever gave up 64 ms after the start, long before the answer. */
    @Test
    void whatEndsAfterItsMergingRetrieverIsMissingFromTheAnswer() {
        for (SpanRules rules : List.of(OF_FUSION, OF_BOTH)) {
            assertThat(seen(rules, engine(80))).isEqualTo("Titles.aretrieve=IN_TIME Texts.aretrieve=TIMED_OUT +ab-cd");
            assertThat(seen(rules, engine(250))).isEqualTo("Titles.aretrieve=IN_TIME Texts.aretrieve=TIMED_OUT +ab-cd");
        }
    }

    @Test
    void whatFailedWithinARetrieverIsMissingFromTheAnswer() {
        List<Span.Builder> spans = engine(60);
        spans.get(6).setStatus(ERROR);
        assertThat(seen(OF_FUSION, spans)).isEqualTo("Titles.aretrieve=IN_TIME Texts.aretrieve=FAILED +ab");
    }

    @Test
    void anExpectedRetrieverThatHasNoSpanIsMissingAlsoWithinOthers() {
        List<Span.Builder> spans = engine(60).subList(0, 6);
        assertThat(seen(OF_BOTH, spans)).isEqualTo("Titles.aretrieve=IN_TIME Texts.aretrieve=TIMED_OUT +ab");
        assertThat(seen(rules("[" + FUSION + ", Titles.aretrieve, Texts.aretrieve]"), spans))
                .isEqualTo(FUSION + "=IN_TIME Titles.aretrieve=IN_TIME Texts.aretrieve=TIMED_OUT +ab+ab");
    }

    @Test
    void aRetrieverBelowALostSpanIsSeenIfItIsLate() {
        List<Span.Builder> spans = engine(250);
        spans.remove(3);
        assertThat(seen(OF_FUSION, spans)).contains("Texts.aretrieve=TIMED_OUT");
        List<Span.Builder> inTime = engine(60);
        inTime.remove(3);
        assertThat(seen(OF_FUSION, inTime)).isEqualTo(FUSION + "=IN_TIME +ab");
    }

    @Test
    void ifTheInnerOnesDoNotTellTheirItemsTheOuterOneStands() {
        List<Span.Builder> spans = engine(80);
        spans.set(4, retriever(5, 4, "Titles.aretrieve", 6, 28));
        assertThat(seen(OF_FUSION, spans)).isEqualTo(FUSION + "=IN_TIME Texts.aretrieve=TIMED_OUT +ab-cd");
    }

    @Test
    void aFailedOrLateOuterOneIsFailedOrLateAsAWhole() {
        List<Span.Builder> spans = engine(60);
        spans.get(2).setStatus(ERROR);
        assertThat(seen(OF_FUSION, spans)).isEqualTo(FUSION + "=FAILED ");
        assertThat(seen(OF_BOTH, spans)).isEqualTo("Titles.aretrieve=FAILED Texts.aretrieve=FAILED ");

        List<Span.Builder> late = engine(60);
        late.set(2, with(retriever(3, 2, FUSION, 1, 164), "a", "b"));
        late.set(3, retriever(4, 3, "QueryFusionRetriever._retrieve", 5, 163));
        assertThat(seen(OF_FUSION, late)).isEqualTo(FUSION + "=TIMED_OUT -ab");
        assertThat(seen(OF_BOTH, late)).isEqualTo("Titles.aretrieve=TIMED_OUT Texts.aretrieve=TIMED_OUT -ab-cd");
    }

    /** LangChain's ensemble of two retrievers of one class. */
    @Test
    void twoRetrieversOfOneNameDoNotStandForEachOther() {
        SpanRules two = rules("[VectorStoreRetriever, VectorStoreRetriever]");
        Span.Builder front = ofKind("CHAIN", 1, 0, "RunnableSequence", 0, 100);
        Span.Builder ensemble = with(retriever(2, 1, "EnsembleRetriever", 1, 50), "a", "b");
        Span.Builder first = with(retriever(3, 2, "VectorStoreRetriever", 1, 20), "a");
        Span.Builder second = with(retriever(4, 2, "VectorStoreRetriever", 1, 30), "b");
        Span.Builder late = with(retriever(4, 2, "VectorStoreRetriever", 1, 70), "c");

        assertThat(seen(two, front, ensemble, first, second)).isEqualTo("VectorStoreRetriever=IN_TIME +ab");
        assertThat(seen(two, front, ensemble, first))
                .isEqualTo("VectorStoreRetriever=TIMED_OUT VectorStoreRetriever (in time)=IN_TIME +a");
        assertThat(seen(two, front, ensemble, first, late))
                .isEqualTo("VectorStoreRetriever=TIMED_OUT VectorStoreRetriever (in time)=IN_TIME +a-c");
    }

    /** Another service asks its own component of the same name. */
    @Test
    void whatAnAskedComponentCallsElsewhereIsNotWhatTheFrontAsked() {
        SpanRules rules = SpanRulesFile.read("expected: [titles, texts]");
        Span.Builder titles = call(2, "titles", 5, 40).addAttributes(ids("a"));
        Span.Builder server = span(3, 2, SpanKind.SPAN_KIND_SERVER, "GET /", 6, 39);
        Span.Builder inner = span(4, 3, SpanKind.SPAN_KIND_CLIENT, "GET", 7, 38)
                .addAttributes(attribute("kipimo.component", text("texts")))
                .addAttributes(ids("b"));

        assertThat(seen(rules, front(100), titles, server, inner)).isEqualTo("titles=IN_TIME texts=TIMED_OUT +a");
    }

    /** It may work on after it has answered, but not past the answer. */
    @Test
    void aRemoteCallMayEndAfterItsCallerButNotAfterTheAnswer() {
        SpanRules rules = SpanRulesFile.read("expected: [web]");
        Span.Builder web = call(2, "web", 5, 40).addAttributes(ids("a"));
        Span.Builder server = span(3, 2, SpanKind.SPAN_KIND_SERVER, "GET /", 6, 90);

        for (long end : new long[] {60, 100}) {
            assertThat(seen(rules, front(100), web, server, database(end))).isEqualTo("web=IN_TIME +a");
        }
        assertThat(seen(rules, front(100), web, server, database(101))).isEqualTo("web=IN_TIME db=TIMED_OUT +a");
    }

    private static Span.Builder database(long end) {
        return span(4, 3, SpanKind.SPAN_KIND_CLIENT, "SELECT", 7, end)
                .addAttributes(attribute("db.namespace", text("db")));
    }

    @Test
    void aCutInnerCallCutsTheAnswerAlsoBesideALateOne() {
        SpanRules rules = SpanRulesFile.read("{preset: openinference, expected: [x], cut-when: {cut: 'true'}}");
        List<Span.Builder> spans = engine(250);
        spans.get(4).addAttributes(attribute("cut", text("true")));
        assertThat(seen(rules, spans)).contains(Unmeasurable.CUT.name());
    }

    /** However deep, and in whatever order the spans arrive. */
    @Test
    void noAnswerIsCompleteWhileAnyCallBelowItFailedOrOutlivesIt() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<Span.Builder> spans = new ArrayList<>();
            spans.add(ofKind("CHAIN", 1, 0, "engine", 0, 100));
            int size = 2 + random.nextInt(20);
            int bad = 2 + random.nextInt(size - 1);
            for (int id = 2; id <= size; id++) {
                int parent = 1 + random.nextInt(id - 1);
                boolean isRetriever = id == bad || random.nextBoolean();
                Span.Builder span = ofKind(
                        isRetriever ? "RETRIEVER" : "CHAIN",
                        id,
                        parent,
                        "r" + random.nextInt(3),
                        random.nextInt(100),
                        100);
                if (id == bad && random.nextBoolean()) {
                    span.setStatus(ERROR);
                } else if (id == bad) {
                    span.setEndTimeUnixNano(span.getEndTimeUnixNano() + 1);
                }
                spans.add(with(span, "d" + id));
            }
            Collections.shuffle(spans, random);
            assertThat(seen(rules("[r0, r1, r2]"), spans))
                    .describedAs("seed %s", seed)
                    .containsAnyOf("TIMED_OUT", "FAILED");
        }
    }

    /** Quadratic time would take minutes. */
    @Test
    void deepAndWideTracesTakeLinearTime() {
        int size = 50_000;
        List<Span.Builder> deep = new ArrayList<>();
        deep.add(ofKind("CHAIN", 1, 0, "engine", 0, 100));
        IntStream.range(2, size).forEach(id -> deep.add(with(retriever(id, id - 1, "r", 1, 90), "a")));
        assertThat(seen(rules("[r]"), deep)).isEqualTo("r=IN_TIME +a");

        List<Span.Builder> wide = new ArrayList<>();
        IntStream.range(1, size).forEach(id -> wide.add(ofKind("CHAIN", id, 0, "engine", id, id + 100)));
        IntStream.range(size, 2 * size)
                .forEach(id -> wide.add(with(retriever(id, 3 * size, "r", id - size, 900), "a")));
        assertThat(TraceEvents.of(
                        rules("[r]"),
                        TRACE,
                        wide.stream()
                                .map(s -> ReceivedSpan.of("shop", s.build()))
                                .toList()))
                .hasSize(size - 1);
    }
}
