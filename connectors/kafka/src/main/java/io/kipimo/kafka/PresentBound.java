package io.kipimo.kafka;

import java.io.Serializable;

/**
 * The present, as a bound of times. It reads the clock only for a time after the last reading, because a reading costs
 * as much as all other checks of a record, and a backlog has no such times. For one thread.
 */
final class PresentBound implements Serializable {
    private final WallClock clock;
    private long readMillis = Long.MIN_VALUE;

    PresentBound(WallClock clock) {
        this.clock = clock;
    }

    /** The earlier one of a time and the present, epoch milliseconds. */
    long atMost(long millis) {
        if (millis > readMillis) {
            readMillis = clock.nowMillis();
        }
        return Math.min(millis, readMillis);
    }
}
