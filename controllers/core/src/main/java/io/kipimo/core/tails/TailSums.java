package io.kipimo.core.tails;

import io.kipimo.schemas.tails.TrafficCounts;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * All that is summed up of one server's second and, merged, of any number of servers and seconds:
 * whole numbers, so the order of merging makes no difference. Mutable, of a single owner.
 */
public final class TailSums {
    private TrafficCounts counts;
    private final LatencySketch latencies;
    private final LatencySketch demands;
    private int servers;

    /** Of no server. */
    public TailSums() {
        this(0, TrafficCounts.NONE, new LatencySketch(), new LatencySketch());
    }

    /** Of one server; takes the sketch over. */
    public TailSums(TrafficCounts counts, LatencySketch latencies) {
        this(1, counts, latencies, new LatencySketch());
    }

    private TailSums(
            int servers, TrafficCounts counts, LatencySketch latencies, LatencySketch demands) {
        this.servers = servers;
        this.counts = counts;
        this.latencies = latencies;
        this.demands = demands;
    }

    /** Adds other servers of the same time, whose sums stay as they are. */
    public void addServers(TailSums others) {
        add(others);
        servers += others.servers;
    }

    /** Adds the same servers at another time; their number is the greatest of any time. */
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

    /** That reported. */
    public int servers() {
        return servers;
    }

    public TrafficCounts counts() {
        return counts;
    }

    /** To be read, not changed. */
    public LatencySketch latencies() {
        return latencies;
    }

    /** CPU demands of requests whose stays were told one by one; to be read, not changed. */
    public LatencySketch demands() {
        return demands;
    }

    public TailSums copy() {
        return new TailSums(servers, counts, latencies.copy(), demands.copy());
    }

    /** Writes what {@link #read} reads. */
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
     * @throws IllegalArgumentException if the bytes are none such
     */
    public static TailSums read(DataInput in) throws IOException {
        return new TailSums(
                in.readInt(), TrafficCountsFormat.read(in), readSketch(in), readSketch(in));
    }

    private static LatencySketch readSketch(DataInput in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return LatencySketch.fromBytes(bytes);
    }
}
