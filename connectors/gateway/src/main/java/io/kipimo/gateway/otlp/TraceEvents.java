package io.kipimo.gateway.otlp;

import com.google.protobuf.ByteString;
import io.kipimo.gateway.config.SpanRules;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.Variants;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Turns the spans of one trace into the events of its queries. Pure.
 *
 * <p>The outermost spans that the rule {@code front} names are answers. Below one, the outermost
 * spans that the rule {@code component} names are its invocations:
 *
 * <ul>
 *   <li>FAILED: an error;
 *   <li>TIMED_OUT: it ended after the answer, or it is expected and has no span;
 *   <li>IN_TIME: otherwise.
 * </ul>
 *
 * If a query invokes a component several times, the worst outcome counts, and the result is the
 * union of all. An answer without a missing component counts as complete only on evidence: the
 * components that were asked are known, and so are their items. Otherwise it is not measurable.
 */
final class TraceEvents {
    /** Attribute of a front's span: the names of the components that the query asked. */
    static final String ASKED = "kipimo.components";

    private static final int MOST_NAME = 256;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final SpanRules rules;
    private final String traceId;
    private final Map<ByteString, ReceivedSpan> byId = new HashMap<>();

    private TraceEvents(SpanRules rules, String traceId, Collection<ReceivedSpan> spans) {
        this.rules = rules;
        this.traceId = traceId;
        spans.forEach(span -> byId.put(span.id(), span));
    }

    /**
     * The queries of a trace, in the order of their start.
     *
     * @param traceId 32 hexadecimal digits; the id of the first query. Further ones have the id of
     *     their span added
     * @param spans all spans of the trace that were received, each once
     */
    static List<ObservedQuery> of(SpanRules rules, String traceId, Collection<ReceivedSpan> spans) {
        return new TraceEvents(rules, traceId, spans).queries();
    }

    private List<ObservedQuery> queries() {
        List<ObservedQuery> queries = new ArrayList<>();
        for (ReceivedSpan front : fronts()) {
            queries.add(query(front, queries.isEmpty()));
        }
        return queries;
    }

    /**
     * The outermost fronts whose chain of parents is known up to the root. If there are none, the
     * first one without its parents: a caller that is traced elsewhere. A front below a lost span
     * is part of another query.
     */
    private List<ReceivedSpan> fronts() {
        List<ReceivedSpan> rooted = new ArrayList<>();
        List<ReceivedSpan> others = new ArrayList<>();
        for (ReceivedSpan span : byId.values()) {
            if (span.matches(rules.front())) {
                List<ReceivedSpan> above = ancestors(span);
                ReceivedSpan top = above.isEmpty() ? span : above.get(above.size() - 1);
                if (above.stream().noneMatch(one -> one.matches(rules.front()))) {
                    (top.isRoot() ? rooted : others).add(span);
                }
            }
        }
        Comparator<ReceivedSpan> byStart =
                Comparator.comparingLong(ReceivedSpan::startNanos)
                        .thenComparing(span -> ReceivedSpan.hex(span.id()));
        if (rooted.isEmpty()) {
            return others.stream().min(byStart).map(List::of).orElse(List.of());
        }
        rooted.sort(byStart);
        return rooted;
    }

    /** The known spans above a span, from the inside to the outside. */
    private List<ReceivedSpan> ancestors(ReceivedSpan span) {
        Set<ByteString> seen = new LinkedHashSet<>();
        List<ReceivedSpan> above = new ArrayList<>();
        seen.add(span.id());
        ReceivedSpan parent = byId.get(span.parent());
        while (parent != null && seen.add(parent.id())) {
            above.add(parent);
            parent = byId.get(parent.parent());
        }
        return above;
    }

    private ObservedQuery query(ReceivedSpan front, boolean isFirst) {
        String queryId = isFirst ? traceId : traceId + '-' + ReceivedSpan.hex(front.id());
        String service = name(rules.service().orElse(front.service()));
        Map<String, Calls> calls = calls(front);
        Set<String> asked = asked(front);
        List<Invocation> invocations = new ArrayList<>();
        List<PartialResult> online = new ArrayList<>();
        List<PartialResult> late = new ArrayList<>();
        calls.forEach(
                (component, of) -> {
                    invocations.add(
                            new Invocation(
                                    component,
                                    of.outcome(front),
                                    micros(of.startNanos(), of.latest(front))));
                    if (of.outcome(front) != Outcome.FAILED && of.items().isPresent()) {
                        boolean inTime = of.outcome(front) == Outcome.IN_TIME;
                        (inTime ? online : late)
                                .add(
                                        PartialResultBuilder.builder()
                                                .service(service)
                                                .queryId(queryId)
                                                .component(component)
                                                .server(of.server())
                                                .phase(inTime ? Phase.ONLINE : Phase.MATURE)
                                                .completedAtMillis(millis(of.endNanos()))
                                                .latencyMicros(
                                                        micros(of.startNanos(), of.endNanos()))
                                                .items(of.items().get())
                                                .startedAtMillis(millis(front.startNanos()))
                                                .build());
                    }
                });
        boolean anySeen = !calls.isEmpty();
        for (String component : asked) {
            if (anySeen && !calls.containsKey(component)) {
                invocations.add(
                        new Invocation(
                                component,
                                Outcome.TIMED_OUT,
                                micros(front.startNanos(), front.endNanos())));
            }
        }
        Answer answer =
                AnswerBuilder.builder()
                        .service(service)
                        .queryId(queryId)
                        .queryClass(
                                front.text(rules.classAttribute())
                                        .filter(rules.classes()::containsKey)
                                        .orElse(rules.lastClass()))
                        .variant(
                                front.text(rules.variantAttribute())
                                        .filter(named -> !named.isBlank())
                                        .map(TraceEvents::name)
                                        .orElse(Variants.NONE))
                        .kind(AnswerKind.ONLINE)
                        .startedAtMillis(millis(front.startNanos()))
                        .answeredAtMillis(millis(front.endNanos()))
                        .deadlineMillis(rules.deadlineMillis())
                        .topK(rules.topK())
                        .invocations(invocations)
                        .items(Items.NONE)
                        .unmeasurable(whyUnmeasurable(front, calls, asked, invocations))
                        .build();
        return new ObservedQuery(answer, online, late, sampling(front, isFirst));
    }

    private HeadSampling sampling(ReceivedSpan front, boolean isFirst) {
        HeadSampling sampling =
                HeadSampling.of(front.span().getTraceState())
                        .orElse(new HeadSampling(rules.headSampling(), false));
        // The id of a further query is hashed as a whole.
        return new HeadSampling(sampling.probability(), sampling.byTraceId() && isFirst);
    }

    private Optional<Unmeasurable> whyUnmeasurable(
            ReceivedSpan front,
            Map<String, Calls> calls,
            Set<String> asked,
            List<Invocation> invocations) {
        if (front.isFailed()) {
            return Optional.of(Unmeasurable.FAILED_ANSWER);
        }
        if (calls.isEmpty()) {
            return Optional.of(
                    asked.isEmpty() ? Unmeasurable.NO_COMPONENTS : Unmeasurable.NOT_ASKED);
        }
        if (invocations.stream().anyMatch(one -> one.outcome() != Outcome.IN_TIME)) {
            return Optional.empty();
        }
        if (front.hasAny(rules.cut()) || calls.values().stream().anyMatch(Calls::isCut)) {
            return Optional.of(Unmeasurable.CUT);
        }
        if (asked.isEmpty()) {
            // A span may be lost, so that nobody knows what else was asked.
            return Optional.of(Unmeasurable.NO_COMPONENTS);
        }
        return rules.completeWithoutItems()
                        || calls.values().stream().allMatch(of -> of.items().isPresent())
                ? Optional.empty()
                : Optional.of(Unmeasurable.UNREADABLE);
    }

    /** The components that the query asked, as its span or the rules tell; empty: unknown. */
    private Set<String> asked(ReceivedSpan front) {
        Set<String> named = new LinkedHashSet<>();
        front.attribute(ASKED)
                .ifPresent(
                        list ->
                                list.getArrayValue()
                                        .getValuesList()
                                        .forEach(
                                                one ->
                                                        ReceivedSpan.text(one)
                                                                .map(TraceEvents::name)
                                                                .ifPresent(named::add)));
        return named.isEmpty() ? rules.expected() : named;
    }

    /** Invocations below a front, by component, in the order of their start. */
    private Map<String, Calls> calls(ReceivedSpan front) {
        List<ReceivedSpan> found = new ArrayList<>();
        for (ReceivedSpan span : byId.values()) {
            if (!span.id().equals(front.id())
                    // What starts after the answer is no part of it.
                    && span.startNanos() <= front.endNanos()
                    && span.matches(rules.component())
                    && isOutermostBelow(front, span)) {
                found.add(span);
            }
        }
        found.sort(
                Comparator.comparingLong(ReceivedSpan::startNanos)
                        .thenComparing(span -> ReceivedSpan.hex(span.id())));
        Map<String, Calls> calls = new LinkedHashMap<>();
        for (ReceivedSpan span : found) {
            calls.computeIfAbsent(component(span), name -> new Calls()).spans.add(span);
        }
        return calls;
    }

    private boolean isOutermostBelow(ReceivedSpan front, ReceivedSpan span) {
        for (ReceivedSpan above : ancestors(span)) {
            if (above.id().equals(front.id())) {
                return true;
            }
            if (above.matches(rules.component())) {
                return false;
            }
        }
        return false;
    }

    private String component(ReceivedSpan span) {
        for (String attribute : rules.componentNames()) {
            Optional<String> value = span.text(attribute).filter(text -> !text.isBlank());
            if (value.isPresent()) {
                return name(value.get());
            }
        }
        return name(span.span().getName());
    }

    /** A name as all of Kipimo's messages allow it. */
    private static String name(String text) {
        String plain = text.replaceAll("[/\\p{Cntrl}]", "_");
        return plain.isEmpty()
                ? "unknown"
                : plain.substring(0, Math.min(MOST_NAME, plain.length()));
    }

    private static long millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }

    private static long micros(long startNanos, long endNanos) {
        return Math.max(0, endNanos - startNanos) / 1_000;
    }

    /** All calls of one component by one query. */
    private final class Calls {
        private final List<ReceivedSpan> spans = new ArrayList<>();

        Outcome outcome(ReceivedSpan front) {
            if (spans.stream().anyMatch(ReceivedSpan::isFailed)) {
                return Outcome.FAILED;
            }
            return endNanos() > front.endNanos() ? Outcome.TIMED_OUT : Outcome.IN_TIME;
        }

        long startNanos() {
            return spans.get(0).startNanos();
        }

        long endNanos() {
            return spans.stream().mapToLong(ReceivedSpan::endNanos).max().orElseThrow();
        }

        /** The end, or the answer if that came first. */
        long latest(ReceivedSpan front) {
            return Math.min(endNanos(), front.endNanos());
        }

        boolean isCut() {
            return spans.stream().anyMatch(span -> span.hasAny(rules.cut()));
        }

        String server() {
            return spans.get(0).text("server.address").map(TraceEvents::name).orElse("");
        }

        /** Empty: some call does not tell its items. */
        Optional<Items> items() {
            Map<String, Float> union = new LinkedHashMap<>();
            for (ReceivedSpan span : spans) {
                Optional<Map<String, Float>> one = SpanItems.of(span);
                if (one.isEmpty()) {
                    return Optional.empty();
                }
                one.get().forEach((id, score) -> union.merge(id, score, Math::max));
            }
            return Optional.of(SpanItems.items(union));
        }
    }
}
