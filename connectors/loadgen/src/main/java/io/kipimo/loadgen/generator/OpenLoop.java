package io.kipimo.loadgen.generator;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Sends on schedule, even if earlier requests are still unanswered. Times are those of {@link System#nanoTime}. */
public final class OpenLoop {
    private OpenLoop() {}

    /**
     * Hands each time to {@code send} when it has come. If this method is late, it hands the time over at once, so that
     * the delay counts as latency. It returns after the last time, or when the thread is interrupted.
     *
     * @param dueNanos ascending
     */
    public static void run(LongStream dueNanos, LongConsumer send) {
        dueNanos.sequential().takeWhile(due -> await(due, () -> Long.MAX_VALUE)).forEach(send);
    }

    /**
     * Arrivals of a Poisson process, without end.
     *
     * @param perSecond more than 0
     * @return ascending times from {@code fromNanos} on
     */
    public static LongStream poisson(double perSecond, RandomGenerator random, long fromNanos) {
        return DoubleStream.iterate(gap(perSecond, random), sum -> sum + gap(perSecond, random))
                .mapToLong(nanos -> fromNanos + (long) nanos);
    }

    private static double gap(double perSecond, RandomGenerator random) {
        return -Math.log1p(-random.nextDouble()) / perSecond * 1e9;
    }

    /** Regular arrivals, without end. */
    public static LongStream regular(long periodNanos, long fromNanos) {
        return LongStream.iterate(fromNanos, due -> due + periodNanos);
    }

    /** Sleeps until {@code dueNanos}, the end or an interruption. Returns true if {@code dueNanos} came first. */
    public static boolean await(long dueNanos, LongSupplier endNanos) {
        while (true) {
            long now = System.nanoTime();
            long end = endNanos.getAsLong();
            if (now >= end || Thread.currentThread().isInterrupted()) {
                return false;
            }
            if (now >= dueNanos) {
                return true;
            }
            LockSupport.parkNanos(Math.min(dueNanos, end) - now);
        }
    }
}
