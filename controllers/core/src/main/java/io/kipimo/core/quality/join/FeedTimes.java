package io.kipimo.core.quality.join;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Computes the event time of a join that reads several feeds: the time of the feed that has come least far. Idle feeds
 * do not count. A feed that was idle and has records again holds event time back from then on, however far the others
 * have come meanwhile. Flink's inputs would not wait for such a feed, so event time would pass its unread records.
 *
 * <p>Mutable, for one thread.
 */
public final class FeedTimes {
    private final long[] reachedMillis;
    private final boolean[] isIdle;

    /** Begins with feeds that have reported nothing so far, and therefore hold event time back. */
    public FeedTimes(int feeds) {
        reachedMillis = new long[feeds];
        isIdle = new boolean[feeds];
        Arrays.fill(reachedMillis, Long.MIN_VALUE);
    }

    /**
     * Notes the event time and the idleness that a feed reports.
     *
     * @param millis event time that the feed has reached, epoch milliseconds; {@code Long.MIN_VALUE}: none yet
     */
    public void update(int feed, long millis, boolean isIdle) {
        reachedMillis[feed] = Math.max(reachedMillis[feed], millis);
        this.isIdle[feed] = isIdle;
    }

    /** Whether all feeds are idle. */
    public boolean areIdle() {
        return active().findAny().isEmpty();
    }

    /** Event time that all active feeds have reached, epoch milliseconds; {@code Long.MIN_VALUE}: none yet. */
    public long reachedMillis() {
        return active().mapToLong(feed -> reachedMillis[feed]).min().orElse(Long.MIN_VALUE);
    }

    private IntStream active() {
        return IntStream.range(0, isIdle.length).filter(feed -> !isIdle[feed]);
    }
}
