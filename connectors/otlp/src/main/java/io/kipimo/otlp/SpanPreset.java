package io.kipimo.otlp;

import io.kipimo.otlp.SpanMatch.MatchedSpanKind;
import io.kipimo.schemas.document.TextPattern;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Default rules for spans, by a convention of naming spans. A file of rules can override each part. */
enum SpanPreset {
    /** OpenTelemetry's conventions: a server's request is a query, and the calls that it makes are components. */
    CONVENTIONAL,
    /**
     * OpenTelemetry's conventions for generative AI: a server's request is a query, and its retrievals are components.
     */
    GEN_AI,
    /** OpenInference's conventions: a chain or an agent is a query, and its retrievers are components. */
    OPENINFERENCE;

    private static final String COMPONENT = "kipimo.component";
    private static final String DATA_SOURCE = "gen_ai.data_source.id";
    private static final String OPENINFERENCE_KIND = "openinference.span.kind";

    SpanMatch front() {
        return switch (this) {
            case CONVENTIONAL, GEN_AI -> ofKind(MatchedSpanKind.SERVER);
            case OPENINFERENCE -> ofAttribute(OPENINFERENCE_KIND, "CHAIN", "AGENT");
        };
    }

    SpanMatch component() {
        return switch (this) {
            case CONVENTIONAL -> ofKind(MatchedSpanKind.CLIENT);
            // What LangChain's instrumentation (opentelemetry-instrumentation-langchain) calls a retrieval comes last.
            case GEN_AI -> ofAttribute("gen_ai.operation.name", "retrieval", "vector_db_retrieve");
            case OPENINFERENCE -> ofAttribute(OPENINFERENCE_KIND, "RETRIEVER");
        };
    }

    /** Attributes that may name a component. The first one that exists counts. */
    List<String> componentNames() {
        return switch (this) {
            case CONVENTIONAL ->
                List.of(
                        COMPONENT,
                        DATA_SOURCE,
                        "db.collection.name",
                        "db.namespace",
                        "rpc.service",
                        "service.peer.name",
                        "peer.service",
                        "server.address");
            case GEN_AI -> List.of(COMPONENT, DATA_SOURCE, "traceloop.entity.name");
            case OPENINFERENCE -> List.of(COMPONENT);
        };
    }

    private static SpanMatch ofKind(MatchedSpanKind kind) {
        return new SpanMatch(Set.of(kind), List.of(), Map.of());
    }

    private static SpanMatch ofAttribute(String name, String... values) {
        return new SpanMatch(
                Set.of(),
                List.of(),
                Map.of(name, List.of(values).stream().map(TextPattern::new).toList()));
    }
}
