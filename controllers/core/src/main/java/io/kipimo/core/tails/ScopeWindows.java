package io.kipimo.core.tails;

import io.kipimo.schemas.tails.TailWindowKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The windows of one scope. Sums are added to panes, which are the tumbling windows. Closed panes are added to steps; a
 * step is as long as the slide of the sliding windows, which are merged from steps. An instance keeps the open panes,
 * the open step, and the closed steps of one sliding window in compact form. After an empty sliding window it keeps
 * nothing. Mutable, for one owner.
 */
public final class ScopeWindows {
    private static final byte[] SILENCE = {};

    private final TreeMap<Long, TailSums> open = new TreeMap<>();
    private final Deque<ClosedStep> closed = new ArrayDeque<>();

    /** End of the newest pane that was closed. */
    private long closedUntil = Long.MIN_VALUE;

    /** Start of the first pane of the open step. */
    private long stepStart;

    private TailSums step;

    /** Receives windows that end. */
    public interface Windows {
        /**
         * Receives a window.
         *
         * @param sums valid during the call only
         */
        void ended(TailWindowKind kind, long startMillis, long endMillis, TailSums sums);
    }

    /** @param startMillis start of the step's first pane */
    private record ClosedStep(long startMillis, byte[] sums) {}

    /** The sums of the pane that begins at {@code startMillis}. */
    TailSums pane(long startMillis) {
        return open.computeIfAbsent(startMillis, s -> new TailSums());
    }

    /** Whether this or a later pane was closed. */
    boolean isClosed(long paneStartMillis) {
        return paneStartMillis < closedUntil;
    }

    /**
     * Adds the sums of a part of the scope.
     *
     * @param startMillis start of the pane
     */
    public void add(long startMillis, TailSums part) {
        pane(startMillis).addServers(part);
    }

    /** Returns when {@link #close} has something to do next, epoch milliseconds; empty: it has nothing to do. */
    public OptionalLong nextEndMillis(TailSpans spans) {
        long next = Long.MAX_VALUE;
        if (!open.isEmpty()) {
            next = open.firstKey() + spans.tumblingMillis();
        }
        if (step != null) {
            next = Math.min(next, spans.stepStart(stepStart) + spans.stepMillis());
        } else if (!closed.isEmpty()) {
            long last = spans.stepStart(closed.getLast().startMillis());
            next = Math.min(next, last + 2 * spans.stepMillis());
        }
        return next == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next);
    }

    /** Ends every window that ends at or before a time, in order. */
    public void close(TailSpans spans, long nowMillis, Windows windows) {
        for (OptionalLong next = nextEndMillis(spans);
                next.isPresent() && next.getAsLong() <= nowMillis;
                next = nextEndMillis(spans)) {
            closeAt(spans, next.getAsLong(), windows);
        }
    }

    private void closeAt(TailSpans spans, long endMillis, Windows windows) {
        Map.Entry<Long, TailSums> first = open.firstEntry();
        if (first != null && first.getKey() + spans.tumblingMillis() == endMillis) {
            open.remove(first.getKey());
            closedUntil = endMillis;
            windows.ended(TailWindowKind.TUMBLING, first.getKey(), endMillis, first.getValue());
            if (step == null) {
                stepStart = first.getKey();
                step = first.getValue();
            } else {
                step.addTime(first.getValue());
            }
        }
        if (endMillis == spans.stepStart(endMillis)) {
            closeStep(spans, endMillis, windows);
        }
    }

    private void closeStep(TailSpans spans, long endMillis, Windows windows) {
        long windowStart = endMillis - spans.slidingMillis();
        while (!closed.isEmpty() && closed.getFirst().startMillis() < windowStart) {
            closed.removeFirst();
        }
        // Empty steps are kept too, since the sliding window still covers earlier ones.
        closed.addLast(
                step == null
                        ? new ClosedStep(endMillis - spans.stepMillis(), SILENCE)
                        : new ClosedStep(stepStart, bytes(step)));
        step = null;
        while (!closed.isEmpty() && closed.getFirst().sums().length == 0) {
            closed.removeFirst();
        }
        if (closed.isEmpty()) {
            return;
        }
        TailSums all = new TailSums();
        for (ClosedStep each : closed) {
            if (each.sums().length > 0) {
                all.addTime(sums(each.sums()));
            }
        }
        windows.ended(TailWindowKind.SLIDING, closed.getFirst().startMillis(), endMillis, all);
    }

    public boolean isEmpty() {
        return open.isEmpty() && step == null && closed.isEmpty();
    }

    public ScopeWindows copy() {
        ScopeWindows copy = new ScopeWindows();
        open.forEach((start, sums) -> copy.open.put(start, sums.copy()));
        copy.closed.addAll(closed);
        copy.closedUntil = closedUntil;
        copy.stepStart = stepStart;
        copy.step = step == null ? null : step.copy();
        return copy;
    }

    /** Writes the form that {@link #read} reads. */
    public void write(DataOutput out) throws IOException {
        out.writeLong(closedUntil);
        out.writeInt(open.size());
        for (Map.Entry<Long, TailSums> pane : open.entrySet()) {
            out.writeLong(pane.getKey());
            pane.getValue().write(out);
        }
        out.writeBoolean(step != null);
        if (step != null) {
            out.writeLong(stepStart);
            step.write(out);
        }
        out.writeInt(closed.size());
        for (ClosedStep each : closed) {
            out.writeLong(each.startMillis());
            out.writeInt(each.sums().length);
            out.write(each.sums());
        }
    }

    /** Reads what {@link #write} wrote. */
    public static ScopeWindows read(DataInput in) throws IOException {
        ScopeWindows windows = new ScopeWindows();
        windows.closedUntil = in.readLong();
        for (int panes = in.readInt(); panes > 0; panes--) {
            long start = in.readLong();
            windows.open.put(start, TailSums.read(in));
        }
        if (in.readBoolean()) {
            windows.stepStart = in.readLong();
            windows.step = TailSums.read(in);
        }
        for (int steps = in.readInt(); steps > 0; steps--) {
            long start = in.readLong();
            byte[] sums = new byte[in.readInt()];
            in.readFully(sums);
            windows.closed.addLast(new ClosedStep(start, sums));
        }
        return windows;
    }

    private static byte[] bytes(TailSums sums) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            sums.write(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written to", e);
        }
        return bytes.toByteArray();
    }

    private static TailSums sums(byte[] bytes) {
        try {
            return TailSums.read(new DataInputStream(new ByteArrayInputStream(bytes)));
        } catch (IOException e) {
            throw new UncheckedIOException("sums of a step cannot be read", e);
        }
    }
}
