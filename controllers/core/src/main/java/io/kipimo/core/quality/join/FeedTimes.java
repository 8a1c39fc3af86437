package io.kipimo.core.quality.join;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Event time of a join that gets its events from several feeds: that of the feed that has come least far. Idle feeds do
 * not count. A feed that was idle and has records again holds event time from then on, however far the others have come
 * meanwhile. Flink's inputs would not wait for it until it has caught up, so the others would pass what is unread.
 *
 * <p>Mutable, for one thread.
 */
public final class FeedTimes {
    private final long[] reachedMillis;
    private final boolean[] isIdle;

    /** Feeds that have said nothing so far, and hold event time. */
    public FeedTimes(int feeds) {
        reachedMillis = new long[feeds];
        isIdle = new boolean[feeds];
        Arrays.fill(reachedMillis, Long.MIN_VALUE);
    }

    /**
     * What a feed says of itself.
     *
     * @param millis event time that it has reached, epoch milliseconds; {@code Long.MIN_VALUE}: none yet
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
