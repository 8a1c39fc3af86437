package io.kipimo.core.tails;

import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Counts as twelve longs, for state and for transfer between operators. The enclosing format has the version. */
public final class TrafficCountsFormat {
    private TrafficCountsFormat() {}

    /** Writes the form that {@link #read} reads. */
    public static void write(TrafficCounts counts, DataOutput out) throws IOException {
        out.writeLong(counts.arrivals());
        out.writeLong(counts.completions());
        out.writeLong(counts.timedOut());
        out.writeLong(counts.failed());
        out.writeLong(counts.connections());
        out.writeLong(counts.inServiceMicros());
        out.writeLong(counts.busyCoreMicros());
        out.writeLong(counts.coreMicros());
        out.writeLong(counts.tokensReturned());
        out.writeLong(counts.tokenHeldMicros());
        out.writeLong(counts.tokenMicros());
        out.writeLong(counts.observedMicros());
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException if a count is negative
     */
    public static TrafficCounts read(DataInput in) throws IOException {
        return TrafficCountsBuilder.builder()
                .arrivals(in.readLong())
                .completions(in.readLong())
                .timedOut(in.readLong())
                .failed(in.readLong())
                .connections(in.readLong())
                .inServiceMicros(in.readLong())
                .busyCoreMicros(in.readLong())
                .coreMicros(in.readLong())
                .tokensReturned(in.readLong())
                .tokenHeldMicros(in.readLong())
                .tokenMicros(in.readLong())
                .observedMicros(in.readLong())
                .build();
    }
}
