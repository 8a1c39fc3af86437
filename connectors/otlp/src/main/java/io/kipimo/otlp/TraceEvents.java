package io.kipimo.otlp;

import io.kipimo.core.quality.deadline.UnusedResults;
import io.kipimo.schemas.field.Names;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Turns the spans of one trace into the events of its queries. It has no side effects.
 *
 * <p>The outermost spans that the rule {@code front} names are answers. Below an answer, the outermost spans that the
 * rule {@code component} names are its calls. The outcome of a call is:
 *
 * <ul>
 *   <li>FAILED: the call has an error; or it has an empty result, and an error within it was not tried again with
 *       success; or it has no list of items, and the rules say that this shows a failure;
 *   <li>TIMED_OUT: the call ended after the answer, or a component was asked and has no span;
 *   <li>IN_TIME: otherwise.
 * </ul>
 *
 * A call may contain other calls, such as a retriever that merges the results of others. Usually the outer call stands
 * for the inner ones. The inner calls stand for themselves if they are {@linkplain SpanRules#expected expected} and the
 * outer one is not. They also do if some of them failed, ended after the answer, or ended after a call of their process
 * that contains them. No inner call is in time if the call around it was not.
 *
 * <p>Calls of one name are one invocation. If only some of the calls were in time, these form a separate invocation. An
 * answer without a missing component counts as complete only on evidence: the asked components and their items are
 * known, and the answer ended before its deadline, if the deadline is known. Otherwise the answer is not measurable.
 */
final class TraceEvents {
    /** Attribute of a front's span with the names of the components that the query asked. */
    static final String ASKED = "kipimo.components";

    /** Suffix of the name of an invocation in time, if other calls of the same name were not in time. */
    static final String IN_TIME = " (in time)";

    /** Greatest number of invocations in a message. */
    private static final int MOST_INVOCATIONS = 10_000;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LONGEST_MICROS = TimeUnit.DAYS.toMicros(10);

    private final SpanRules rules;
    private final ReceivedSpan front;
    private final SpanTree.SpanQuery spans;

    /** Components that the query asked, according to its span or the rules, with the number of times. */
    private final Map<String, Integer> asked;

    private TraceEvents(SpanRules rules, SpanTree.SpanQuery query) {
        this.rules = rules;
        front = query.front;
        spans = query;
        asked = asked();
    }

    /**
     * Finds the queries of a trace, in the order of their start.
     *
     * @param traceId 32 hexadecimal digits; the id of the first query. Further queries have the id of their span added
     * @param spans all spans of the trace that were received, each once
     */
    static List<ObservedQuery> of(SpanRules rules, String traceId, Collection<ReceivedSpan> spans) {
        List<ObservedQuery> queries = new ArrayList<>();
        for (SpanTree.SpanQuery query : SpanTree.queries(rules, spans)) {
            boolean isFirst = queries.isEmpty();
            queries.add(new TraceEvents(rules, query)
                    .query(isFirst ? traceId : traceId + '-' + ReceivedSpan.hex(query.front.id()), isFirst));
        }
        return queries;
    }

    private ObservedQuery query(String queryId, boolean isFirst) {
        String service = name(rules.service().orElse(front.service()));
        Map<String, Invoked> invoked = invoked();
        List<Invocation> invocations = new ArrayList<>();
        List<PartialResult> online = new ArrayList<>();
        List<PartialResult> late = new ArrayList<>();
        invoked.forEach((component, calls) -> {
            if (invocations.size() == MOST_INVOCATIONS) {
                return;
            }
            invocations.add(
                    new Invocation(component, calls.outcome(), micros(calls.startNanos(), calls.latestNanos())));
            if (calls.outcome() != Outcome.FAILED && calls.items().isPresent()) {
                boolean inTime = calls.outcome() == Outcome.IN_TIME;
                (inTime ? online : late)
                        .add(PartialResultBuilder.builder()
                                .service(service)
                                .queryId(queryId)
                                .component(component)
                                .server(calls.server())
                                .phase(inTime ? Phase.ONLINE : Phase.MATURE)
                                .completedAtMillis(millis(calls.endNanos()))
                                .latencyMicros(micros(calls.startNanos(), calls.endNanos()))
                                .items(calls.items().get())
                                .startedAtMillis(millis(front.startNanos()))
                                .build());
            }
        });
        Optional<Items> answered = answered();
        Answer answer = AnswerBuilder.builder()
                .service(service)
                .queryId(queryId)
                .queryClass(front.text(rules.classAttribute())
                        .filter(rules.classes()::containsKey)
                        .orElse(rules.lastClass()))
                .variant(front.text(rules.variantAttribute())
                        .filter(named -> !named.isBlank())
                        .map(TraceEvents::name)
                        .orElse(Variants.NONE))
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(millis(front.startNanos()))
                .answeredAtMillis(millis(front.endNanos()))
                .deadlineMillis(rules.deadlineMillis())
                .topK(rules.topK())
                .invocations(invocations)
                .items(answered.orElse(Items.NONE))
                .unmeasurable(whyUnmeasurable(invoked.values()))
                .build();
        OptionalInt listed = answered.stream().mapToInt(Items::size).findFirst();
        return new ObservedQuery(answer, online, late, listed, sampling(isFirst));
    }

    /**
     * The items that the user got, if Kipimo's attribute at the front's span tells them. Other documents at that span
     * may be those of a retriever.
     */
    private Optional<Items> answered() {
        return front.attribute(SpanItems.IDS)
                .flatMap(named -> SpanItems.of(front))
                .map(SpanItems::items);
    }

    private HeadSampling sampling(boolean isFirst) {
        HeadSampling sampling =
                HeadSampling.of(front.span().getTraceState()).orElse(new HeadSampling(rules.headSampling(), false));
        // The id of a further query is hashed as a whole.
        return new HeadSampling(sampling.probability(), sampling.byTraceId() && isFirst);
    }

    private Optional<Unmeasurable> whyUnmeasurable(Collection<Invoked> invoked) {
        if (front.isFailed()) {
            return Optional.of(Unmeasurable.FAILED_ANSWER);
        }
        if (invoked.isEmpty()) {
            return Optional.of(asked.isEmpty() ? Unmeasurable.NO_COMPONENTS : Unmeasurable.NOT_ASKED);
        }
        // What a cut result lacks comes with no other one.
        if (front.hasAny(rules.cut()) || isCut(spans.calls) || isCut(spans.strays)) {
            return Optional.of(Unmeasurable.CUT);
        }
        if (invoked.size() > MOST_INVOCATIONS) {
            return Optional.of(Unmeasurable.UNREADABLE);
        }
        List<Invoked> inTime =
                invoked.stream().filter(one -> one.outcome() == Outcome.IN_TIME).toList();
        boolean isWhole = inTime.size() == invoked.size();
        long latestNanos = inTime.stream().mapToLong(Invoked::endNanos).max().orElse(front.startNanos());
        if (UnusedResults.areConceivable(
                rules.deadlineMillis(),
                front.endNanos() - front.startNanos(),
                isWhole,
                latestNanos - front.startNanos())) {
            return Optional.of(Unmeasurable.CUT);
        }
        if (!isWhole) {
            return Optional.empty();
        }
        if (asked.isEmpty()) {
            // A span may be lost, so that nobody knows what else was asked.
            return Optional.of(Unmeasurable.NO_COMPONENTS);
        }
        return rules.withoutItems() == SpanRules.WithoutItems.COMPLETE
                        || invoked.stream().allMatch(of -> of.items().isPresent())
                ? Optional.empty()
                : Optional.of(Unmeasurable.UNREADABLE);
    }

    private boolean isCut(List<SpanTree.SpanCall> calls) {
        return calls.stream().anyMatch(call -> call.span.hasAny(rules.cut()) || isCut(call.inner));
    }

    private Map<String, Integer> asked() {
        List<String> named = front.attribute(ASKED).map(SpanItems::texts).orElse(List.of()).stream()
                .filter(text -> !text.isEmpty())
                .map(TraceEvents::name)
                .toList();
        Map<String, Integer> counts = new LinkedHashMap<>();
        (named.isEmpty() ? rules.expected() : named).forEach(name -> counts.merge(name, 1, Integer::sum));
        return counts;
    }

    /** The invocations of the query by component, in the order of their start. */
    private Map<String, Invoked> invoked() {
        Map<String, Integer> missing = new LinkedHashMap<>(asked);
        List<CallPart> parts = new ArrayList<>();
        spans.calls.forEach(call -> parts.addAll(parts(call, front.endNanos(), Outcome.IN_TIME, missing)));
        spans.strays.stream()
                .flatMap(stray -> parts(stray, front.endNanos(), Outcome.IN_TIME, missing).stream())
                .filter(CallPart::isLost)
                .forEach(parts::add);
        if (parts.isEmpty()) {
            return Map.of();
        }
        parts.sort(Comparator.comparing(CallPart::span, SpanTree.BY_START));
        parts.forEach(part -> missing.merge(part.component(), -1, Integer::sum));
        missing.forEach((component, number) -> {
            for (int i = 0; i < number; i++) {
                parts.add(new CallPart(component, front, Outcome.TIMED_OUT, true, Optional.empty()));
            }
        });
        Map<String, List<CallPart>> byName = new LinkedHashMap<>();
        for (CallPart part : parts) {
            byName.computeIfAbsent(part.component(), c -> new ArrayList<>()).add(part);
        }
        Map<String, Invoked> invoked = new LinkedHashMap<>();
        byName.forEach((component, all) -> {
            List<CallPart> inTime = inTime(all);
            List<CallPart> others =
                    all.stream().filter(p -> p.outcome() != Outcome.IN_TIME).toList();
            if (!others.isEmpty()) {
                invoked.put(component, new Invoked(others));
            }
            if (!inTime.isEmpty()) {
                String own = component + IN_TIME;
                invoked.put(
                        others.isEmpty()
                                ? component
                                : Names.isName(own) && !byName.containsKey(own) ? own : Names.digest(own),
                        new Invoked(inTime));
            }
        });
        return invoked;
    }

    /**
     * Finds what stands for a call: the call itself, or calls that it contains.
     *
     * @param limitNanos end of the span that waited for the call
     * @param around outcome of the call around it
     * @param missing asked components that were not found yet; decreased for a component if inner calls stand for it
     */
    private List<CallPart> parts(
            SpanTree.SpanCall call, long limitNanos, Outcome around, Map<String, Integer> missing) {
        ReceivedSpan span = call.span;
        Optional<Map<String, Float>> items = SpanItems.of(span);
        Outcome own = span.endNanos() > limitNanos ? Outcome.TIMED_OUT : Outcome.IN_TIME;
        if (span.isFailed() || isSilentlyFailed(call, items)) {
            own = Outcome.FAILED;
        }
        boolean isLost = own != Outcome.IN_TIME;
        Outcome outcome = worse(own, around);
        CallPart itself = new CallPart(component(span), span, outcome, isLost, items);
        boolean isAsked = asked.containsKey(itself.component());
        List<CallPart> inner = new ArrayList<>();
        boolean containsAsked = false;
        for (SpanTree.SpanCall one : call.inner) {
            // A process that was called may go on after its answer.
            long limit = one.isRemote ? Math.max(limitNanos, span.endNanos()) : span.endNanos();
            List<CallPart> parts = parts(one, limit, outcome, missing);
            inner.addAll(parts);
            // What an asked component calls elsewhere is not what the front asked.
            containsAsked |=
                    !(isAsked && one.isRemote) && parts.stream().anyMatch(p -> asked.containsKey(p.component()));
        }
        List<CallPart> lost = inner.stream().filter(CallPart::isLost).toList();
        if (containsAsked) {
            if (isLost) {
                inner.replaceAll(CallPart::lost);
            }
            if (isAsked) {
                inner.add(itself);
            }
            return inner;
        }
        if (own == Outcome.FAILED || lost.isEmpty()) {
            return List.of(itself);
        }
        List<CallPart> inTime = inTime(inner);
        if (!inTime.isEmpty() && inTime.stream().allMatch(part -> part.items().isPresent())) {
            missing.merge(itself.component(), -1, Integer::sum);
            return inner;
        }
        List<CallPart> all = new ArrayList<>(lost);
        all.add(itself);
        return all;
    }

    /**
     * Tells whether a call without an error failed. Programs that catch an error often answer with an empty list, and
     * programs that give up on a call write no list.
     */
    private boolean isSilentlyFailed(SpanTree.SpanCall call, Optional<Map<String, Float>> items) {
        return items.map(list -> list.isEmpty() && call.hadTrouble())
                .orElse(rules.withoutItems() == SpanRules.WithoutItems.FAILED);
    }

    private static List<CallPart> inTime(List<CallPart> parts) {
        return parts.stream().filter(part -> part.outcome() == Outcome.IN_TIME).toList();
    }

    private static Outcome worse(Outcome a, Outcome b) {
        return a == Outcome.FAILED || b == Outcome.IN_TIME ? a : b;
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

    private static String name(String text) {
        return text.isEmpty() ? "unknown" : Names.cleaned(text);
    }

    private static long millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }

    private static long micros(long startNanos, long endNanos) {
        return Math.min(LONGEST_MICROS, Math.max(0, endNanos - startNanos) / 1_000);
    }

    /**
     * One call, or its lack.
     *
     * @param span span of the call; the front's span if the call has none
     * @param isLost true if the call failed, or ended too late for the span that waited for it
     * @param items empty: unknown
     */
    private record CallPart(
            String component, ReceivedSpan span, Outcome outcome, boolean isLost, Optional<Map<String, Float>> items) {
        CallPart lost() {
            return new CallPart(component, span, outcome, true, items);
        }
    }

    /** Calls of one component by one query. */
    private final class Invoked {
        private final List<CallPart> calls;
        private final Outcome outcome;
        private final Optional<Items> items;

        Invoked(List<CallPart> calls) {
            this.calls = calls;
            outcome = calls.stream().map(CallPart::outcome).reduce(Outcome.IN_TIME, TraceEvents::worse);
            items = union(calls);
        }

        Outcome outcome() {
            return outcome;
        }

        /** The items of all calls together; empty if a call does not tell its items. */
        Optional<Items> items() {
            return items;
        }

        long startNanos() {
            return calls.get(0).span().startNanos();
        }

        long endNanos() {
            return calls.stream()
                    .mapToLong(call -> call.span().endNanos())
                    .max()
                    .orElseThrow();
        }

        /** End of the calls, or of the answer if that was earlier. */
        long latestNanos() {
            return Math.min(endNanos(), front.endNanos());
        }

        String server() {
            return calls.get(0)
                    .span()
                    .text("server.address")
                    .map(Names::cleaned)
                    .orElse("");
        }
    }

    private static Optional<Items> union(List<CallPart> calls) {
        Map<String, Float> union = new LinkedHashMap<>();
        for (CallPart call : calls) {
            Optional<Map<String, Float>> one = call.items();
            if (one.isEmpty()) {
                return Optional.empty();
            }
            one.get().forEach((id, score) -> union.merge(id, score, Math::max));
        }
        return Optional.of(SpanItems.items(union));
    }
}
