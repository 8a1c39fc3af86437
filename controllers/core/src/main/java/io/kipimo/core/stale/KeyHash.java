package io.kipimo.core.stale;

import io.kipimo.core.sampling.XxHash64;

/**
 * Positions of a key in a filter. The hash is XXH64, seed 0, of the key in UTF-8, which is available in all languages.
 * Its halves give the positions (Kirsch and Mitzenmacher, "Less Hashing, Same Performance", 2006).
 */
public final class KeyHash {
    private static final long LOW_HALF = 0xFFFF_FFFFL;

    private KeyHash() {}

    /** Hash of the key, never 0. A filter cannot distinguish two keys with the same hash. */
    public static long of(String key) {
        long hash = XxHash64.hash(key, 0);
        return hash == 0 ? 1 : hash;
    }

    /** Position {@code index}, 0..hashes-1, of a key: {@code (low + index * (high | 1)) mod 2^32 mod bits}. */
    static int position(long hash, int index, FilterShape shape) {
        long step = hash >>> Integer.SIZE | 1;
        return (int) ((hash + index * step & LOW_HALF) % shape.bits());
    }

    /** All positions of a key; two may be equal. */
    public static int[] positions(long hash, FilterShape shape) {
        int[] positions = new int[shape.hashes()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = position(hash, i, shape);
        }
        return positions;
    }
}
