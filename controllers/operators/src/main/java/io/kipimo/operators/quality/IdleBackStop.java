package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.core.quality.join.JoinProgress;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.operators.ProcessingTimeService.ProcessingTimeCallback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Advances the event time of a join once if all input is idle, so that open queries are measured with the available
 * events. A timer starts when all input becomes idle, and any input stops it. The back-stop cannot tell a silent site
 * from an unreachable log. So it waits long enough that later events do not become late because of it. It only affects
 * queries that were open when the silence began.
 */
final class IdleBackStop {
    private static final Logger LOG = LoggerFactory.getLogger(IdleBackStop.class);

    /** Advances event time to {@code millis}, epoch milliseconds. */
    @FunctionalInterface
    interface TimeMover {
        void moveTo(long millis) throws Exception;
    }

    private final long delayMillis;
    private final JoinProgress join;
    private final ProcessingTimeService clock;
    private final TimeMover mover;

    /**
     * Timer of the current silence, which is kept after it has fired. Null while there is input, or no query is due.
     */
    private ScheduledFuture<?> timer;

    /** @param delayMillis how long all input must be idle beyond the windows of the open queries, milliseconds */
    IdleBackStop(long delayMillis, JoinProgress join, ProcessingTimeService clock, TimeMover mover) {
        this.delayMillis = delayMillis;
        this.join = join;
        this.clock = clock;
        this.mover = mover;
    }

    /** Starts or stops the timer, depending on whether all input is idle. */
    void update(boolean isIdle) {
        if (!isIdle) {
            stop();
        } else if (timer == null && join.nextDueMillis() != Long.MAX_VALUE) {
            start();
        }
    }

    private void start() {
        long forgottenMillis = join.lastSettledMillis() + JoinEngine.TOMBSTONE_SLACK_MILLIS;
        long eventTimeMillis = join.eventTimeMillis();
        // There is no event time right after a restore.
        long aheadMillis = eventTimeMillis == Long.MIN_VALUE ? 0 : forgottenMillis - eventTimeMillis;
        ProcessingTimeCallback move = firedAtMillis -> {
            LOG.info("All input has been idle for {} ms beyond the last windows: measuring open queries", delayMillis);
            mover.moveTo(forgottenMillis);
        };
        timer = clock.registerTimer(clock.getCurrentProcessingTime() + delayMillis + aheadMillis, move);
    }

    private void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
