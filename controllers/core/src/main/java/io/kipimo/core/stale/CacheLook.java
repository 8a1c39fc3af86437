package io.kipimo.core.stale;

import java.util.Optional;

/**
 * One look at a key: the prober looks at the filter, then reads through a link, and then reads at the origin. Times are
 * epoch milliseconds of the prober's clock.
 *
 * @param held look at the filter; empty if there was no filter
 * @param read read through the link; empty without an answer or a version
 * @param origin read at the origin itself; empty without an answer or a version
 */
public record CacheLook(Optional<Held> held, Optional<Read> read, Optional<Read> origin) {
    /**
     * Whether the filter had the key.
     *
     * @param atMillis time of the look at the filter, or an earlier time
     */
    public record Held(boolean isHeld, long atMillis) {}

    /**
     * An answer to a read.
     *
     * @param version version of its content
     * @param isPastCaches whether caches were told to ask the origin
     * @param usableUntilMillis until when a cache may serve it; 0: it must not, or it is unknown
     */
    public record Read(long version, long beginMillis, long endMillis, boolean isPastCaches, long usableUntilMillis) {}
}
