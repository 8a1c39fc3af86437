package io.kipimo.core.stale;

/**
 * Consistency level of one read: what the read promises (Quaestor, sec. 3.2 and figure 4). Each level also keeps the
 * bound of {@link #DELTA}. A session is a client; its other reads may have other levels.
 */
public enum Consistency {
    /** The read is not staler than Delta plus the time from a write to its invalidation. */
    DELTA(false, false),
    /** The read is not older than what the session has read of the key. */
    MONOTONIC_READS(true, false),
    /** The read is not older than what the session has written to the record. */
    READ_YOUR_WRITES(false, true),
    /** Both {@link #MONOTONIC_READS} and {@link #READ_YOUR_WRITES}; the default. */
    SESSION(true, true),
    /**
     * As {@link #SESSION}, and the read is not older than anything on which an answer to the session may depend. So a
     * cached copy that was evaluated before the session last read something new is not used; the origin answers
     * instead.
     */
    CAUSAL(true, true),
    /** The origin evaluates the read after the read began. */
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
