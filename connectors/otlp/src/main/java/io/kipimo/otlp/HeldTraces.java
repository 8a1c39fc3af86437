package io.kipimo.otlp;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds the spans of traces until the traces are decided, that is, turned into queries. A trace is due a fixed time
 * after its root span arrived. A trace without a root span is due when twice this time has passed since its newest
 * span, and at the latest ten times this time after its first span. If there are too many traces or bytes, the oldest
 * trace is evicted. The ids of decided traces are kept, up to the greatest number of traces, so that none is decided
 * twice. Not thread-safe.
 */
final class HeldTraces {
    private static final int ROOTLESS = 2;
    private static final int LONGEST = 10;

    /** The outcome of adding a span. */
    enum Taken {
        HELD,
        /** The trace already has the span, because the exporter sent it twice. */
        AGAIN,
        /** The span's trace was decided before. */
        LATE
    }

    /**
     * A trace that is due.
     *
     * @param oldestMillis earliest end of a span, as in {@link HeldTrace#oldestMillis}
     */
    record Trace(String id, Collection<ReceivedSpan> spans, long oldestMillis) {}

    private static final class HeldTrace {
        final ByteString id;
        final long number;
        final long firstMillis;
        final Map<ByteString, ReceivedSpan> spans = new LinkedHashMap<>();
        long bytes;
        long dueMillis;
        boolean hasRoot;

        /**
         * Earliest end of a span of the trace, epoch milliseconds. Events of the trace cannot be earlier. Spans that
         * were already too old when they arrived do not count.
         */
        long oldestMillis = Long.MAX_VALUE;

        HeldTrace(ByteString id, long number, long firstMillis) {
            this.id = id;
            this.number = number;
            this.firstMillis = firstMillis;
        }
    }

    private final long holdMillis;
    private final int mostTraces;
    private final long mostBytes;

    /** Traces in the order of arrival. */
    private final Map<ByteString, HeldTrace> held = new LinkedHashMap<>();

    private final NavigableSet<HeldTrace> byDue = new TreeSet<>(
            Comparator.<HeldTrace>comparingLong(trace -> trace.dueMillis).thenComparingLong(trace -> trace.number));
    private final NavigableSet<HeldTrace> byOldest = new TreeSet<>(
            Comparator.<HeldTrace>comparingLong(trace -> trace.oldestMillis).thenComparingLong(trace -> trace.number));
    private final Set<ByteString> decided = new LinkedHashSet<>();
    private long bytes;
    private long evicted;
    private long opened;

    HeldTraces(long holdMillis, int mostTraces, long mostBytes) {
        this.holdMillis = holdMillis;
        this.mostTraces = mostTraces;
        this.mostBytes = mostBytes;
    }

    /** Adds a span that has valid ids. */
    Taken add(ReceivedSpan span, long nowMillis) {
        ByteString id = span.span().getTraceId();
        if (decided.contains(id)) {
            return Taken.LATE;
        }
        HeldTrace trace = held.computeIfAbsent(id, i -> new HeldTrace(i, opened++, nowMillis));
        if (trace.spans.putIfAbsent(span.id(), span) != null) {
            return Taken.AGAIN;
        }
        long size = span.heldBytes();
        trace.bytes += size;
        bytes += size;
        if (!trace.hasRoot) {
            byDue.remove(trace);
            trace.hasRoot = span.isRoot();
            trace.dueMillis = Math.min(
                    nowMillis + (trace.hasRoot ? 1 : ROOTLESS) * holdMillis, trace.firstMillis + LONGEST * holdMillis);
            byDue.add(trace);
        }
        long endMillis = span.endMillis();
        if (endMillis < trace.oldestMillis && endMillis >= awaitedFrom(nowMillis)) {
            byOldest.remove(trace);
            trace.oldestMillis = endMillis;
            byOldest.add(trace);
        }
        while (held.size() > mostTraces || bytes > mostBytes) {
            remove(held.values().iterator().next());
            evicted++;
        }
        return Taken.HELD;
    }

    /** Removes and returns the traces that are due. */
    List<Trace> due(long nowMillis) {
        List<Trace> due = new ArrayList<>();
        while (!byDue.isEmpty() && byDue.first().dueMillis <= nowMillis) {
            HeldTrace trace = byDue.first();
            remove(trace);
            due.add(new Trace(ReceivedSpan.hex(trace.id), trace.spans.values(), trace.oldestMillis));
        }
        return due;
    }

    private void remove(HeldTrace trace) {
        held.remove(trace.id);
        byDue.remove(trace);
        byOldest.remove(trace);
        bytes -= trace.bytes;
        decided.add(trace.id);
        if (decided.size() > mostTraces) {
            decided.remove(decided.iterator().next());
        }
    }

    /**
     * Time from which spans may still arrive, epoch milliseconds. It is earlier than now by the hold time plus the time
     * that exporters take to send a batch.
     */
    private long awaitedFrom(long nowMillis) {
        return nowMillis - holdMillis - OtlpReceiver.BATCH_MILLIS;
    }

    /**
     * Time up to which no spans are held or awaited, epoch milliseconds, by the spans' own times. A trace that never
     * gets its root may hold it back for a while.
     */
    long completeUpToMillis(long nowMillis) {
        long awaited = awaitedFrom(nowMillis);
        return byOldest.isEmpty() ? awaited : Math.min(awaited, byOldest.first().oldestMillis);
    }

    int size() {
        return held.size();
    }

    long bytes() {
        return bytes;
    }

    /** Number of traces that were dropped for lack of room. */
    long evicted() {
        return evicted;
    }
}
