package io.kipimo.core.stale;

/**
 * What one read promises (Quaestor, sec. 3.2 and figure 4). Each level also keeps the bound of {@link #DELTA}. A
 * session is a client; its other reads may have other levels.
 */
public enum Consistency {
    /** The read is not staler than Delta plus the time from a write to its invalidation. */
    DELTA(false, false),
    /** It is not older than what the session has read of the key. */
    MONOTONIC_READS(true, false),
    /** It is not older than what the session has written to the record. */
    READ_YOUR_WRITES(false, true),
    /** Both; the default. */
    SESSION(true, true),
    /**
     * As SESSION, and a read is not older than anything on which an answer to the session may depend. So a copy that
     * was evaluated before the session last read something new comes from the origin.
     */
    CAUSAL(true, true),
    /** The origin evaluates it after it began. */
    STRONG(true, true);

    private final boolean isMonotonic;
    private final boolean seesOwnWrites;

    Consistency(boolean isMonotonic, boolean seesOwnWrites) {
        this.isMonotonic = isMonotonic;
        this.seesOwnWrites = seesOwnWrites;
    }

    boolean isMonotonic() {
        return isMonotonic;
    }

    boolean seesOwnWrites() {
        return seesOwnWrites;
    }
}
