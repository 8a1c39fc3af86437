package io.kipimo.gateway.record;

import java.util.ArrayDeque;
import java.util.Deque;

/** Counts and limits the bytes in the memo cache until they expire. Not thread-safe. */
final class MemoBudget {
    private final long mostBytes;
    private final Deque<long[]> kept = new ArrayDeque<>();
    private long bytes;

    MemoBudget(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Reserves room until the expiry; false: there is too little. Expiries must not decrease.
     *
     * @param expiresMillis by the same clock as {@code nowMillis}
     */
    boolean take(long size, long expiresMillis, long nowMillis) {
        while (!kept.isEmpty() && kept.peek()[0] <= nowMillis) {
            bytes -= kept.remove()[1];
        }
        if (bytes + size > mostBytes) {
            return false;
        }
        bytes += size;
        kept.add(new long[] {expiresMillis, size});
        return true;
    }

    long bytes() {
        return bytes;
    }
}
