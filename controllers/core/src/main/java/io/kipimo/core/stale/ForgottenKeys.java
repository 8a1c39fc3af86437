package io.kipimo.core.stale;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keys that a session has seen, but whose versions it has dropped. Each Bloom filter holds as many keys as all filters
 * before it, so there are few filters (after Almeida et al., "Scalable Bloom Filters", 2007). A filter is dropped when
 * its last key is older than the longest time to live: no cache then holds what the session had seen, or anything
 * older. At most {@link #FALSE_SHARE} of other keys are reported, however many other keys there are.
 */
final class ForgottenKeys {
    /** Greatest share of other keys that are reported by mistake, 0..1. */
    static final double FALSE_SHARE = 0.06;

    /**
     * Bits for each key. With 8 positions a key, one filter reports 0.4 % of other keys by mistake. There are up to 13
     * filters.
     */
    private static final double BITS_A_KEY = 11.6;

    private static final int HASHES = 8;
    private static final int FEWEST = 10_000;

    /**
     * Greatest number of keys, which take 24 MB. If more come within the longest time to live, the oldest keys are
     * dropped.
     */
    private static final long MOST = 1L << 24;

    private static final class ForgottenKeysPart {
        final FilterShape shape;
        final byte[] bits;
        final long most;
        long keys;
        long lastMillis;

        ForgottenKeysPart(long most) {
            this.most = most;
            shape = new FilterShape((int) (most * BITS_A_KEY) / Byte.SIZE * Byte.SIZE, HASHES);
            bits = new byte[shape.bytes()];
        }
    }

    private final long keptMillis;
    private final Deque<ForgottenKeysPart> parts = new ArrayDeque<>();

    ForgottenKeys(long keptMillis) {
        this.keptMillis = keptMillis;
    }

    void add(long hash, long nowMillis) {
        drop(nowMillis);
        if (parts.isEmpty() || parts.getLast().keys >= parts.getLast().most) {
            while (keys() >= MOST / 2) {
                parts.removeFirst();
            }
            parts.addLast(new ForgottenKeysPart(Math.max(FEWEST, keys())));
        }
        ForgottenKeysPart last = parts.getLast();
        last.lastMillis = nowMillis;
        if (FlatFilter.mightContain(last.bits, hash, last.shape)) {
            return;
        }
        for (int position : KeyHash.positions(hash, last.shape)) {
            FlatFilter.set(last.bits, position);
        }
        last.keys++;
    }

    boolean mightContain(long hash, long nowMillis) {
        drop(nowMillis);
        for (ForgottenKeysPart part : parts) {
            if (FlatFilter.mightContain(part.bits, hash, part.shape)) {
                return true;
            }
        }
        return false;
    }

    private void drop(long nowMillis) {
        while (!parts.isEmpty() && nowMillis - parts.getFirst().lastMillis > keptMillis) {
            parts.removeFirst();
        }
    }

    private long keys() {
        return parts.stream().mapToLong(part -> part.keys).sum();
    }
}
