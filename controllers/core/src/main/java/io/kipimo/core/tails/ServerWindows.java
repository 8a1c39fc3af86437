package io.kipimo.core.tails;

import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.Stay;
import io.kipimo.schemas.tails.TrafficCounts;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The windows of one server. They are {@link ScopeWindows} that accept each second once. Beside them the server's
 * single stays are kept, from which the Baseline estimator computes how demands vary. Mutable, for one owner.
 */
public final class ServerWindows {
    /** Limit of the single stays of a pane that are kept; a few hundred suffice (sPARE, sec. V-A1). */
    static final int MOST_STAYS = 4096;

    private final ScopeWindows windows;
    private final NavigableMap<Long, Reported> reported;

    /** Result of adding an observation. */
    public enum Fate {
        ADDED,
        /** The second had been added before. */
        DUPLICATE,
        /** The second's window has ended. */
        LATE
    }

    /** The reported seconds and the single stays of a pane, which are not in its sums. */
    private static final class Reported {
        long seconds;
        final List<Stay> stays = new ArrayList<>();
    }

    public ServerWindows() {
        this(new ScopeWindows(), new TreeMap<>());
    }

    private ServerWindows(ScopeWindows windows, NavigableMap<Long, Reported> reported) {
        this.windows = windows;
        this.reported = reported;
    }

    /**
     * Adds an observation, which covers one second.
     *
     * @param nowMillis windows that ended at or before this time accept no more seconds
     * @throws IllegalArgumentException if its sketch cannot be read
     */
    public Fate add(ServerObservation observation, TailSpans spans, long nowMillis) {
        long paneStart = spans.paneStart(observation.secondMillis());
        // Event time restarts in a restored job, so closed panes are checked as well.
        if (paneStart + spans.tumblingMillis() <= nowMillis || windows.isClosed(paneStart)) {
            return Fate.LATE;
        }
        long second = 1L << ((observation.secondMillis() - paneStart) / 1000);
        Reported pane = reported.computeIfAbsent(paneStart, s -> new Reported());
        if ((pane.seconds & second) != 0) {
            return Fate.DUPLICATE;
        }
        pane.seconds |= second;
        windows.pane(paneStart)
                .addTime(new TailSums(observation.counts(), LatencySketch.fromBytes(observation.latencies())));
        int room = MOST_STAYS - pane.stays.size();
        List<Stay> stays = observation.stays();
        pane.stays.addAll(stays.subList(0, Math.min(room, stays.size())));
        return Fate.ADDED;
    }

    /** Returns when {@link #close} has something to do next, epoch milliseconds; empty: it has nothing to do. */
    public OptionalLong nextEndMillis(TailSpans spans) {
        return windows.nextEndMillis(spans);
    }

    /** Ends every window that ends at or before a time, in order. */
    public void close(TailSpans spans, long nowMillis, ScopeWindows.Windows ended) {
        while (!reported.isEmpty() && reported.firstKey() + spans.tumblingMillis() <= nowMillis) {
            Map.Entry<Long, Reported> pane = reported.pollFirstEntry();
            estimateDemands(windows.pane(pane.getKey()), pane.getValue().stays);
        }
        windows.close(spans, nowMillis, ended);
    }

    private static void estimateDemands(TailSums sums, List<Stay> stays) {
        TrafficCounts counts = sums.counts();
        if (!stays.isEmpty() && counts.coreMicros() > 0) {
            int cores = (int) Math.max(1, Math.round((double) counts.coreMicros() / counts.observedMicros()));
            BaselineEstimator.ofStays(stays, cores, sums::addDemand);
        }
    }

    public boolean isEmpty() {
        return windows.isEmpty();
    }

    public ServerWindows copy() {
        NavigableMap<Long, Reported> panes = new TreeMap<>();
        reported.forEach((start, pane) -> {
            Reported copy = new Reported();
            copy.seconds = pane.seconds;
            copy.stays.addAll(pane.stays);
            panes.put(start, copy);
        });
        return new ServerWindows(windows.copy(), panes);
    }

    /** Writes the form that {@link #read} reads. */
    public void write(DataOutput out) throws IOException {
        windows.write(out);
        out.writeInt(reported.size());
        for (Map.Entry<Long, Reported> pane : reported.entrySet()) {
            out.writeLong(pane.getKey());
            out.writeLong(pane.getValue().seconds);
            out.writeInt(pane.getValue().stays.size());
            for (Stay stay : pane.getValue().stays) {
                out.writeLong(stay.arrivalMicros());
                out.writeLong(stay.departureMicros());
            }
        }
    }

    /** Reads what {@link #write} wrote. */
    public static ServerWindows read(DataInput in) throws IOException {
        ScopeWindows windows = ScopeWindows.read(in);
        NavigableMap<Long, Reported> panes = new TreeMap<>();
        for (int count = in.readInt(); count > 0; count--) {
            long start = in.readLong();
            Reported pane = new Reported();
            pane.seconds = in.readLong();
            for (int stays = in.readInt(); stays > 0; stays--) {
                pane.stays.add(new Stay(in.readLong(), in.readLong()));
            }
            panes.put(start, pane);
        }
        return new ServerWindows(windows, panes);
    }
}
