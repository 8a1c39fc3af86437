package io.kipimo.kafka;

import java.io.Serializable;

/**
 * Limits times to the present. It reads the clock only for a time that is after the last reading. A reading costs as
 * much as all other checks of a record, and a backlog has no such times. An instance is for one thread.
 */
final class PresentBound implements Serializable {
    private final WallClock clock;
    private long readMillis = Long.MIN_VALUE;

    PresentBound(WallClock clock) {
        this.clock = clock;
    }

    /** Returns the earlier of a time and the present, epoch milliseconds. */
    long atMost(long millis) {
        if (millis > readMillis) {
            readMillis = clock.nowMillis();
        }
        return Math.min(millis, readMillis);
    }
}
