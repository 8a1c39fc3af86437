package io.kipimo.otlp;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the queries of one trace, and their calls of components. It visits every span once, so that the time is about
 * linear in the number of spans, however deep they nest. It has no side effects.
 *
 * <p>A query is an outermost span that the rule {@code front} names, if all its parents are known up to the root. If
 * there is no such span, the first outermost front whose parents are not all known is the query, because its caller may
 * be traced elsewhere. All other fronts below lost spans are parts of another query.
 *
 * <p>The calls of a query are the spans below it that the rule {@code component} names, at any depth. Spans that start
 * after the answer are not part of the query.
 */
final class SpanTree {
    /** Greatest depth of nested calls, so that other code can recurse. Deeper calls count as calls of this depth. */
    private static final int MOST_DEPTH = 64;

    static final Comparator<ReceivedSpan> BY_START = Comparator.comparingLong(ReceivedSpan::startNanos)
            .thenComparing(ReceivedSpan::id, ByteString.unsignedLexicographicalComparator());

    /** A span that the rule {@code front} names, and its outermost calls. */
    static final class SpanQuery {
        final ReceivedSpan front;
        final List<SpanCall> calls = new ArrayList<>();

        /** Calls below lost spans. Their query is unknown; this query is the newest one that ran when they began. */
        final List<SpanCall> strays = new ArrayList<>();

        private SpanQuery(ReceivedSpan front) {
            this.front = front;
        }
    }

    /** A span that the rule {@code component} names, and the outermost calls within it. */
    static final class SpanCall {
        final ReceivedSpan span;
        final List<SpanCall> inner = new ArrayList<>();

        /** True if another process made this call, at the request of the call around it. */
        final boolean isRemote;

        private final int depth;

        /**
         * Last end of failed spans, by name, among the spans below this call that are not calls. {@code successStarts}
         * has the last start of those that did not fail.
         */
        private final Map<String, Long> failureEnds = new HashMap<>();

        private final Map<String, Long> successStarts = new HashMap<>();

        private SpanCall(ReceivedSpan span, SpanCall outer, boolean isRemote) {
            this.span = span;
            this.isRemote = isRemote;
            this.depth = outer == null ? 1 : outer.depth + 1;
        }

        private void add(ReceivedSpan below) {
            String name = below.span().getName();
            if (below.isFailed()) {
                failureEnds.merge(name, below.endNanos(), Math::max);
            } else {
                successStarts.merge(name, below.startNanos(), Math::max);
            }
        }

        /** Tells whether the call has an exception, or a span below it failed and was not tried again with success. */
        boolean hadTrouble() {
            return span.hasException()
                    || failureEnds.entrySet().stream()
                            .anyMatch(failure ->
                                    successStarts.getOrDefault(failure.getKey(), Long.MIN_VALUE) < failure.getValue());
        }
    }

    /** A span with the query and the call above it; null if there is none. */
    private record Visit(ReceivedSpan span, SpanQuery query, SpanCall outer, boolean isRemote) {}

    private final SpanRules rules;
    private final List<ReceivedSpan> spans;
    private final Map<ByteString, List<ReceivedSpan>> children = new HashMap<>();
    private final Map<ByteString, ReceivedSpan> unvisited = new HashMap<>();

    private SpanTree(SpanRules rules, Collection<ReceivedSpan> spans) {
        this.rules = rules;
        this.spans = spans.stream().sorted(BY_START).toList();
        for (ReceivedSpan span : this.spans) {
            unvisited.put(span.id(), span);
            children.computeIfAbsent(span.parent(), p -> new ArrayList<>(1)).add(span);
        }
    }

    /**
     * Finds the queries of a trace, in the order of their start.
     *
     * @param spans spans of the trace, each once
     */
    static List<SpanQuery> queries(SpanRules rules, Collection<ReceivedSpan> spans) {
        return new SpanTree(rules, spans).queries();
    }

    private List<SpanQuery> queries() {
        List<SpanQuery> rooted = new ArrayList<>();
        List<SpanQuery> others = new ArrayList<>();
        List<SpanCall> strays = new ArrayList<>();
        spans.stream().filter(ReceivedSpan::isRoot).forEach(top -> walk(top, rooted, null));
        List<ReceivedSpan> orphans = spans.stream()
                .filter(span -> !unvisited.containsKey(span.parent()))
                .toList();
        orphans.forEach(top -> walk(top, others, strays));
        // What is left are circles.
        spans.forEach(top -> walk(top, others, strays));
        List<SpanQuery> queries = rooted;
        if (rooted.isEmpty() && !others.isEmpty()) {
            others.sort(Comparator.comparing((SpanQuery query) -> query.front, BY_START));
            queries = List.of(others.remove(0));
        }
        others.forEach(query -> strays.addAll(query.calls));
        adopt(strays, queries);
        return queries.stream()
                .sorted(Comparator.comparing((SpanQuery query) -> query.front, BY_START))
                .toList();
    }

    /**
     * Visits a span and all spans below it.
     *
     * @param strays receives calls without a front above them; null: they are ignored
     */
    private void walk(ReceivedSpan top, List<SpanQuery> queries, List<SpanCall> strays) {
        Deque<Visit> open = new ArrayDeque<>();
        open.push(new Visit(top, null, null, false));
        while (!open.isEmpty()) {
            Visit visit = open.pop();
            ReceivedSpan span = visit.span();
            if (unvisited.remove(span.id()) == null) {
                continue;
            }
            SpanQuery query = visit.query();
            SpanCall outer = visit.outer();
            boolean isRemote = visit.isRemote() || isServer(span);
            if (query == null && span.matches(rules.front())) {
                query = new SpanQuery(span);
                queries.add(query);
                outer = null;
            } else if (span.matches(rules.component())
                    && (query == null || span.startNanos() <= query.front.endNanos())) {
                SpanCall call = new SpanCall(span, outer, outer != null && isRemote);
                if (outer != null) {
                    outer.inner.add(call);
                } else if (query != null) {
                    query.calls.add(call);
                } else if (strays != null) {
                    strays.add(call);
                }
                if (call.depth < MOST_DEPTH) {
                    outer = call;
                    isRemote = false;
                }
            } else if (outer != null) {
                outer.add(span);
            }
            for (ReceivedSpan child : children.getOrDefault(span.id(), List.of())) {
                open.push(new Visit(child, query, outer, isRemote));
            }
        }
    }

    private static boolean isServer(ReceivedSpan span) {
        SpanKind kind = span.span().getKind();
        return kind == SpanKind.SPAN_KIND_SERVER || kind == SpanKind.SPAN_KIND_CONSUMER;
    }

    /** Gives each stray call to the newest query that ran when the call began. */
    private static void adopt(List<SpanCall> strays, List<SpanQuery> queries) {
        TreeMap<Long, SpanQuery> byStart = new TreeMap<>();
        queries.forEach(query -> byStart.put(query.front.startNanos(), query));
        for (SpanCall stray : strays) {
            Map.Entry<Long, SpanQuery> newest = byStart.floorEntry(stray.span.startNanos());
            if (newest != null
                    && stray.span.startNanos() <= newest.getValue().front.endNanos()) {
                newest.getValue().strays.add(stray);
            }
        }
    }
}
