package io.kipimo.core.stale;

import java.util.Arrays;
import java.util.Collection;

/**
 * The filter for clients: a Bloom filter of the keys that may be stale. Immutable. Position {@code p} is the bit
 * {@code 0x80 >>> p % 8} of byte {@code p / 8}, as in Redis.
 */
public final class FlatFilter {
    private final FilterShape shape;
    private final byte[] bytes;

    private FlatFilter(FilterShape shape, byte[] bytes) {
        this.shape = shape;
        this.bytes = bytes;
    }

    public static FlatFilter empty(FilterShape shape) {
        return new FlatFilter(shape, new byte[shape.bytes()]);
    }

    /**
     * Creates a filter from received bytes. Missing bytes at the end are zero, since Redis omits them.
     *
     * @throws IllegalArgumentException if there are more bytes than the shape has
     */
    public static FlatFilter of(FilterShape shape, byte[] bytes) {
        if (bytes.length > shape.bytes()) {
            throw new IllegalArgumentException(
                    "filter has " + bytes.length + " bytes; allowed: at most " + shape.bytes());
        }
        return new FlatFilter(shape, Arrays.copyOf(bytes, shape.bytes()));
    }

    public FilterShape shape() {
        return shape;
    }

    public byte[] toBytes() {
        return bytes.clone();
    }

    /** Whether the key may be stale. For a stale key it is never false. */
    public boolean mightContain(String key) {
        return mightContain(KeyHash.of(key));
    }

    /** @param hash {@link KeyHash#of} */
    public boolean mightContain(long hash) {
        return mightContain(bytes, hash, shape);
    }

    /**
     * Returns a filter of the keys of both filters.
     *
     * @throws IllegalArgumentException if the shapes differ
     */
    public FlatFilter union(FlatFilter other) {
        if (!shape.equals(other.shape)) {
            throw new IllegalArgumentException(
                    "filters are " + shape + " and " + other.shape + "; allowed: the same shape");
        }
        byte[] both = bytes.clone();
        for (int i = 0; i < both.length; i++) {
            both[i] |= other.bytes[i];
        }
        return new FlatFilter(shape, both);
    }

    /**
     * Returns a filter of the keys of all these filters, for example those of a service's tables.
     *
     * @throws IllegalArgumentException if a filter has another shape
     */
    public static FlatFilter union(FilterShape shape, Collection<FlatFilter> filters) {
        FlatFilter all = empty(shape);
        for (FlatFilter filter : filters) {
            all = all.union(filter);
        }
        return all;
    }

    /** Share of bits that are set, 0..1. */
    public double fill() {
        int set = 0;
        for (byte one : bytes) {
            set += Integer.bitCount(one & 0xFF);
        }
        return (double) set / shape.bits();
    }

    /** Share of absent keys that this filter reports as present, from its fill. */
    public double falsePositiveRate() {
        return Math.pow(fill(), shape.hashes());
    }

    static boolean mightContain(byte[] bytes, long hash, FilterShape shape) {
        for (int i = 0; i < shape.hashes(); i++) {
            if (!isSet(bytes, KeyHash.position(hash, i, shape))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSet(byte[] bytes, int position) {
        return (bytes[position >>> 3] & 0x80 >>> (position & 7)) != 0;
    }

    static void set(byte[] bytes, int position) {
        bytes[position >>> 3] |= (byte) (0x80 >>> (position & 7));
    }

    static void clear(byte[] bytes, int position) {
        bytes[position >>> 3] &= (byte) ~(0x80 >>> (position & 7));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FlatFilter that && shape.equals(that.shape) && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return shape + ", " + (int) (100 * fill()) + " of 100 bits set";
    }
}
