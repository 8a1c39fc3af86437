package io.kipimo.core.tails;

import io.kipimo.schemas.tails.TrafficCounts;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Sums of one server's second or, merged, of any number of servers and seconds. All are whole numbers, so the order of
 * merging has no effect. Mutable, for one owner.
 */
public final class TailSums {
    private TrafficCounts counts;
    private final LatencySketch latencies;
    private final LatencySketch demands;
    private int servers;

    /** Sums of no server. */
    public TailSums() {
        this(0, TrafficCounts.NONE, new LatencySketch(), new LatencySketch());
    }

    /** Sums of one server; takes ownership of the sketch. */
    public TailSums(TrafficCounts counts, LatencySketch latencies) {
        this(1, counts, latencies, new LatencySketch());
    }

    private TailSums(int servers, TrafficCounts counts, LatencySketch latencies, LatencySketch demands) {
        this.servers = servers;
        this.counts = counts;
        this.latencies = latencies;
        this.demands = demands;
    }

    /** Adds the sums of other servers over the same time. The other sums do not change. */
    public void addServers(TailSums others) {
        add(others);
        servers += others.servers;
    }

    /** Adds the sums of the same servers over another time. The number of servers is the maximum of both. */
    public void addTime(TailSums other) {
        add(other);
        servers = Math.max(servers, other.servers);
    }

    private void add(TailSums other) {
        counts = counts.plus(other.counts);
        latencies.merge(other.latencies);
        demands.merge(other.demands);
    }

    /** Adds a single request's demand, core-microseconds. */
    void addDemand(double micros) {
        demands.record(Math.round(micros));
    }

    /** Number of servers that reported. */
    public int servers() {
        return servers;
    }

    public TrafficCounts counts() {
        return counts;
    }

    /** Latencies; callers must not change them. */
    public LatencySketch latencies() {
        return latencies;
    }

    /** CPU demands of requests whose stays were reported singly; callers must not change them. */
    public LatencySketch demands() {
        return demands;
    }

    public TailSums copy() {
        return new TailSums(servers, counts, latencies.copy(), demands.copy());
    }

    /** Writes the form that {@link #read} reads. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(servers);
        TrafficCountsFormat.write(counts, out);
        write(latencies, out);
        write(demands, out);
    }

    private static void write(LatencySketch sketch, DataOutput out) throws IOException {
        byte[] bytes = sketch.toBytes();
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException if the bytes are not sums
     */
    public static TailSums read(DataInput in) throws IOException {
        return new TailSums(in.readInt(), TrafficCountsFormat.read(in), readSketch(in), readSketch(in));
    }

    private static LatencySketch readSketch(DataInput in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return LatencySketch.fromBytes(bytes);
    }
}
