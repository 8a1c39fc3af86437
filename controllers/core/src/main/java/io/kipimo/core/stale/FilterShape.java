package io.kipimo.core.stale;

import java.io.Serializable;

/**
 * Size of a Bloom filter. A union needs filters of the same shape.
 *
 * @param bits m, a multiple of 8
 * @param hashes k, number of positions of a key
 */
public record FilterShape(int bits, int hashes) implements Serializable {
    /**
     * A filter that fits the first congestion window of TCP, ten segments of 1,460 bytes, so its transfer takes one
     * round trip. It holds 20,000 keys at 6 % false positives (Quaestor, sec. 3.3).
     */
    public static final FilterShape ONE_ROUND_TRIP = new FilterShape(10 * 1460 * Byte.SIZE, 4);

    private static final int MOST_BITS = 1 << 30;

    /** Size of the largest filter. */
    public static final int MOST_BYTES = MOST_BITS / Byte.SIZE;

    private static final int MOST_HASHES = 32;

    /** @throws IllegalArgumentException if a size is out of range */
    public FilterShape {
        if (bits < Byte.SIZE || bits > MOST_BITS || bits % Byte.SIZE != 0) {
            throw new IllegalArgumentException(
                    "filter bits are " + bits + "; allowed: multiples of 8 in 8.." + MOST_BITS);
        }
        if (hashes < 1 || hashes > MOST_HASHES) {
            throw new IllegalArgumentException("filter hashes are " + hashes + "; allowed: 1.." + MOST_HASHES);
        }
    }

    public int bytes() {
        return bits / Byte.SIZE;
    }

    /** Expected share of absent keys that the filter reports as present, if it holds {@code keys} keys. */
    public double falsePositiveRate(long keys) {
        return Math.pow(-Math.expm1(-(double) hashes * keys / bits), hashes);
    }
}
