package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.JoinEngine;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.operators.ProcessingTimeService.ProcessingTimeCallback;

/**
 * Moves the event time of a join once, when nothing comes any more that would move it: open queries
 * are measured with what there is. All input going idle starts its clock, any input stops it. A
 * site's silence and a log that cannot be reached look alike from here, so it waits; late enough
 * that what comes afterwards is not late by that. It settles no query that was not open when the
 * silence began.
 */
final class IdleBackStop {
    /** Moves event time, epoch milliseconds. */
    @FunctionalInterface
    interface TimeMover {
        void moveTo(long millis) throws Exception;
    }

    private final long delayMillis;
    private final JoinEngine engine;
    private final ProcessingTimeService clock;
    private final TimeMover mover;

    /** Of the silence that goes on, also when it is over; null while there is input. */
    private ScheduledFuture<?> timer;

    /**
     * @param delayMillis for how long all input is idle, beyond the windows of the open queries
     */
    IdleBackStop(
            long delayMillis, JoinEngine engine, ProcessingTimeService clock, TimeMover mover) {
        this.delayMillis = delayMillis;
        this.engine = engine;
        this.clock = clock;
        this.mover = mover;
    }

    /** Whether all input is idle may have changed. */
    void update(boolean isIdle) {
        if (!isIdle) {
            stop();
        } else if (timer == null && engine.nextDueMillis() != Long.MAX_VALUE) {
            start();
        }
    }

    private void start() {
        long forgottenMillis = engine.lastSettledMillis() + JoinEngine.TOMBSTONE_SLACK_MILLIS;
        long eventTimeMillis = engine.eventTimeMillis();
        // Just restored, there is no event time yet.
        long aheadMillis =
                eventTimeMillis == Long.MIN_VALUE ? 0 : forgottenMillis - eventTimeMillis;
        ProcessingTimeCallback move = firedAtMillis -> mover.moveTo(forgottenMillis);
        timer =
                clock.registerTimer(
                        clock.getCurrentProcessingTime() + delayMillis + aheadMillis, move);
    }

    private void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
