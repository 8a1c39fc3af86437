package io.kipimo.core.tails;

import com.datadoghq.sketch.ddsketch.DDSketch;
import com.datadoghq.sketch.ddsketch.encoding.ByteArrayInput;
import com.datadoghq.sketch.ddsketch.encoding.GrowingByteArrayOutput;
import com.datadoghq.sketch.ddsketch.mapping.CubicallyInterpolatedMapping;
import com.datadoghq.sketch.ddsketch.mapping.IndexMapping;
import com.datadoghq.sketch.ddsketch.store.Bin;
import com.datadoghq.sketch.ddsketch.store.CollapsingLowestDenseStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;

/**
 * A sketch of latencies in microseconds, of about a kilobyte. It gives quantiles within {@value #ACCURACY} relative
 * error (DDSketch; Masson, Rim and Lee, VLDB 2019), and the exact count, mean, spread, least and greatest.
 *
 * <p>Merging is exact: the same latencies give the same bytes, for every order and every division into sketches.
 * Mutable, for one owner; not thread-safe.
 */
public final class LatencySketch {
    /** Relative error of quantiles. */
    public static final double ACCURACY = 0.01;

    private static final byte[] NO_BYTES = {};
    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 1 + 6 * Long.BYTES;
    private static final IndexMapping MAPPING = new CubicallyInterpolatedMapping(ACCURACY);

    /**
     * Limit of the number of bins. A long needs at most 2,300. The limit also bounds the memory that foreign bytes can
     * claim.
     */
    private static final int MAXIMUM_BINS = 2304;

    private static final double TWO_TO_64 = 0x1p64;

    private final DDSketch bins;
    private long count;
    private long sumMicros;
    // 128 bits: the squares of a busy day overflow a long, and a sum of doubles would depend on the
    // order.
    private long squaresHigh;
    private long squaresLow;
    private long minimumMicros = Long.MAX_VALUE;
    private long maximumMicros;

    public LatencySketch() {
        this(newBins());
    }

    private LatencySketch(DDSketch bins) {
        this.bins = bins;
    }

    private static DDSketch newBins() {
        return new DDSketch(MAPPING, () -> new CollapsingLowestDenseStore(MAXIMUM_BINS));
    }

    /** A sketch of the given latencies, microseconds. */
    public static LatencySketch of(long... latenciesMicros) {
        LatencySketch sketch = new LatencySketch();
        for (long latencyMicros : latenciesMicros) {
            sketch.record(latencyMicros);
        }
        return sketch;
    }

    /**
     * Adds one latency.
     *
     * @param latencyMicros 0 or more
     * @throws IllegalArgumentException if it is negative
     */
    public void record(long latencyMicros) {
        if (latencyMicros < 0) {
            throw new IllegalArgumentException("latency is " + latencyMicros + " us; allowed: >= 0");
        }
        bins.accept((double) latencyMicros);
        count++;
        sumMicros += latencyMicros;
        addSquares(Math.multiplyHigh(latencyMicros, latencyMicros), latencyMicros * latencyMicros);
        minimumMicros = Math.min(minimumMicros, latencyMicros);
        maximumMicros = Math.max(maximumMicros, latencyMicros);
    }

    /** Adds all latencies of another sketch, which does not change. */
    public void merge(LatencySketch other) {
        bins.mergeWith(other.bins);
        count += other.count;
        sumMicros += other.sumMicros;
        addSquares(other.squaresHigh, other.squaresLow);
        minimumMicros = Math.min(minimumMicros, other.minimumMicros);
        maximumMicros = Math.max(maximumMicros, other.maximumMicros);
    }

    /** A new sketch with the latencies of both; neither changes. */
    public LatencySketch plus(LatencySketch other) {
        LatencySketch both = copy();
        both.merge(other);
        return both;
    }

    public LatencySketch copy() {
        LatencySketch copy = new LatencySketch(bins.copy());
        copy.count = count;
        copy.sumMicros = sumMicros;
        copy.squaresHigh = squaresHigh;
        copy.squaresLow = squaresLow;
        copy.minimumMicros = minimumMicros;
        copy.maximumMicros = maximumMicros;
        return copy;
    }

    private void addSquares(long high, long low) {
        squaresLow += low;
        squaresHigh += high + (Long.compareUnsigned(squaresLow, low) < 0 ? 1 : 0);
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public long count() {
        return count;
    }

    /** The exact mean, microseconds; 0 without latencies. */
    public double meanMicros() {
        return count == 0 ? 0 : (double) sumMicros / count;
    }

    /** The exact least latency, microseconds; 0 without latencies. */
    public long minimumMicros() {
        return count == 0 ? 0 : minimumMicros;
    }

    /** The exact greatest latency, microseconds; 0 without latencies. */
    public long maximumMicros() {
        return maximumMicros;
    }

    /** Standard deviation of the latencies over their mean; 0 without latencies, or if all are 0. */
    public double coefficientOfVariation() {
        double mean = meanMicros();
        if (mean == 0) {
            return 0;
        }
        double low = squaresLow < 0 ? squaresLow + TWO_TO_64 : squaresLow;
        double meanSquare = (squaresHigh * TWO_TO_64 + low) / count;
        return Math.sqrt(Math.max(0, meanSquare / (mean * mean) - 1));
    }

    /**
     * The latency at rank {@code floor(quantile * (count - 1))} in ascending order, within {@value #ACCURACY} relative
     * error, microseconds; 0 without latencies.
     *
     * @param quantile 0..1
     * @throws IllegalArgumentException if the quantile is out of range
     */
    public double quantileMicros(double quantile) {
        share("quantile", quantile);
        return count == 0
                ? 0
                : Math.min((double) maximumMicros, Math.max((double) minimumMicros, bins.getValueAtQuantile(quantile)));
    }

    /**
     * Share of the latencies at or under a bound, 0..1: the empirical CDF; 1 without latencies. It is exact except
     * within the bin that contains the bound. In that bin, which is 2 % wide, it interpolates.
     */
    public double shareAtMost(double boundMicros) {
        if (count == 0 || boundMicros >= maximumMicros) {
            return 1;
        }
        if (boundMicros < minimumMicros) {
            return 0;
        }
        double atMost = bins.getCount() - bins.getPositiveValueStore().getTotalCount();
        if (boundMicros > 0) {
            int boundBin = MAPPING.index(boundMicros);
            Iterator<Bin> ascending = bins.getPositiveValueStore().getAscendingIterator();
            while (ascending.hasNext()) {
                Bin bin = ascending.next();
                if (bin.getIndex() >= boundBin) {
                    atMost += bin.getIndex() == boundBin ? part(bin, boundMicros) : 0;
                    break;
                }
                atMost += bin.getCount();
            }
        }
        return Math.min(1, atMost / count);
    }

    /**
     * Returns how many of a bin's latencies are at or under a bound, by interpolation. Latencies are whole
     * microseconds, so a bin that is narrower than one holds one value.
     */
    private double part(Bin bin, double boundMicros) {
        double from = Math.max((double) minimumMicros, MAPPING.lowerBound(bin.getIndex()));
        double to = Math.min((double) maximumMicros, MAPPING.upperBound(bin.getIndex()));
        double part = to - from < 1 ? 1 : (boundMicros - from) / (to - from);
        return bin.getCount() * Math.min(1, Math.max(0, part));
    }

    /**
     * Encodes the sketch for {@link #fromBytes}: the exact figures, then DDSketch's own encoding. Without latencies
     * there are no bytes.
     */
    public byte[] toBytes() {
        if (count == 0) {
            return NO_BYTES;
        }
        GrowingByteArrayOutput encoded = GrowingByteArrayOutput.withInitialCapacity(512);
        try {
            bins.encode(encoded, false);
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot be written to", e);
        }
        return ByteBuffer.allocate(HEADER_BYTES + encoded.numWrittenBytes())
                .put(VERSION)
                .putLong(count)
                .putLong(sumMicros)
                .putLong(squaresHigh)
                .putLong(squaresLow)
                .putLong(minimumMicros)
                .putLong(maximumMicros)
                .put(encoded.backingArray(), 0, encoded.numWrittenBytes())
                .array();
    }

    /**
     * Reads what {@link #toBytes} wrote.
     *
     * @throws IllegalArgumentException if the bytes are not a sketch of this accuracy, or their figures contradict each
     *     other
     */
    public static LatencySketch fromBytes(byte[] bytes) {
        if (bytes.length == 0) {
            return new LatencySketch();
        }
        if (bytes.length < HEADER_BYTES || bytes[0] != VERSION) {
            throw new IllegalArgumentException(
                    "latency sketch has %s bytes, version %s; allowed: none, or at least %s, version %s"
                            .formatted(bytes.length, bytes[0], HEADER_BYTES, VERSION));
        }
        LatencySketch sketch = new LatencySketch();
        ByteBuffer header = ByteBuffer.wrap(bytes, 1, HEADER_BYTES - 1);
        sketch.count = header.getLong();
        sketch.sumMicros = header.getLong();
        sketch.squaresHigh = header.getLong();
        sketch.squaresLow = header.getLong();
        sketch.minimumMicros = header.getLong();
        sketch.maximumMicros = header.getLong();
        try {
            sketch.bins.decodeAndMergeWith(ByteArrayInput.wrap(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES));
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("latency sketch of " + bytes.length + " bytes cannot be read: " + e, e);
        }
        if (!sketch.isConsistent()) {
            throw new IllegalArgumentException(
                    "latency sketch contradicts itself: count %s, in bins %s, from %s to %s us"
                            .formatted(
                                    sketch.count, sketch.bins.getCount(), sketch.minimumMicros, sketch.maximumMicros));
        }
        return sketch;
    }

    private boolean isConsistent() {
        if (count == 0) {
            return bins.isEmpty() && sumMicros == 0 && squaresHigh == 0 && squaresLow == 0;
        }
        return count > 0
                && bins.getCount() == count
                && bins.getNegativeValueStore().isEmpty()
                && minimumMicros >= 0
                && minimumMicros <= maximumMicros
                && meanMicros() >= minimumMicros
                && meanMicros() <= maximumMicros
                && squaresHigh >= 0
                && everyBinCounts();
    }

    private boolean everyBinCounts() {
        Iterator<Bin> all = bins.getPositiveValueStore().getAscendingIterator();
        while (all.hasNext()) {
            if (!(all.next().getCount() > 0)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LatencySketch sketch
                && count == sketch.count
                && Arrays.equals(toBytes(), sketch.toBytes());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(toBytes());
    }

    @Override
    public String toString() {
        return "LatencySketch[" + count + " from " + minimumMicros() + " to " + maximumMicros + " us]";
    }

    static void share(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: 0..1");
        }
    }
}
