package io.kipimo.core.stale;

/**
 * A Bloom filter that supports removal. It has a counter for each position and keeps the flat filter up to date when a
 * counter leaves or reaches zero. A full counter stays full, so its position stays set, which is safe.
 */
final class CountingFilter {
    private static final byte FULL = (byte) 0xFF;

    private final FilterShape shape;
    private final byte[] counters;
    private final byte[] flat;

    CountingFilter(FilterShape shape) {
        this.shape = shape;
        this.counters = new byte[shape.bits()];
        this.flat = new byte[shape.bytes()];
    }

    void add(long hash) {
        for (int i = 0; i < shape.hashes(); i++) {
            int position = KeyHash.position(hash, i, shape);
            if (counters[position] == 0) {
                FlatFilter.set(flat, position);
            }
            if (counters[position] != FULL) {
                counters[position]++;
            }
        }
    }

    /** Removes a key that was added before. */
    void remove(long hash) {
        for (int i = 0; i < shape.hashes(); i++) {
            int position = KeyHash.position(hash, i, shape);
            if (counters[position] != FULL && --counters[position] == 0) {
                FlatFilter.clear(flat, position);
            }
        }
    }

    FlatFilter flat() {
        return FlatFilter.of(shape, flat);
    }
}
