package io.kipimo.core.quality.deadline;

import java.util.concurrent.TimeUnit;

/**
 * Decides whether an answer may lack a result that arrived before the answer left. A front end that answers because its
 * deadline has come, or that stalls past the deadline, leaves out the results that it has not read. Nothing on the wire
 * tells such an answer from one with every result.
 */
public final class UnusedResults {
    /** Timers of front ends may end early by this much, as those of Node.js do. */
    private static final long EARLY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private UnusedResults() {}

    /**
     * Whether results that count as in time may be missing from the answer.
     *
     * @param deadlineMillis deadline of the answer; 0: unknown, so no such result is assumed
     * @param leftNanos when the answer left, after the query's start
     * @param isWhole whether no other result is missing
     * @param latestNanos when the last result in time arrived, after the query's start
     */
    public static boolean areConceivable(int deadlineMillis, long leftNanos, boolean isWhole, long latestNanos) {
        return deadlineMillis > 0
                && isLate(deadlineMillis, leftNanos)
                && (isWhole || isLate(deadlineMillis, latestNanos));
    }

    private static boolean isLate(int deadlineMillis, long nanos) {
        return nanos > TimeUnit.MILLISECONDS.toNanos(deadlineMillis) - EARLY_NANOS;
    }
}
