package io.kipimo.core.stale;

import java.util.Optional;

/**
 * One look at a key: at the filter, through a link, and then at the origin. Times are epoch milliseconds of the
 * prober's clock.
 *
 * @param held empty if there was no filter
 * @param read through the link; empty without an answer or a version
 * @param origin read at the origin itself; empty without an answer or a version
 */
public record CacheLook(Optional<Held> held, Optional<Read> read, Optional<Read> origin) {
    /**
     * Whether the filter had the key.
     *
     * @param atMillis when, or before
     */
    public record Held(boolean isHeld, long atMillis) {}

    /**
     * An answer.
     *
     * @param version of its content
     * @param isPastCaches whether caches were told to ask the origin
     * @param usableUntilMillis until when a cache may serve it; 0: it must not, or it is unknown
     */
    public record Read(long version, long beginMillis, long endMillis, boolean isPastCaches, long usableUntilMillis) {}
}
