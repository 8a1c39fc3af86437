package io.kipimo.loadgen.generator;

import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Workload;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** One server with a queue, in real time; all requests take the same time. */
public final class QueueingWorkload implements Workload {
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "queueing-workload");
        thread.setDaemon(true);
        return thread;
    });
    private final long serviceNanos;
    private long freeAtNanos = System.nanoTime();
    private final AtomicLong longestDelayNanos = new AtomicLong();
    final AtomicLong asked = new AtomicLong();

    public QueueingWorkload(long serviceMicros) {
        this.serviceNanos = TimeUnit.MICROSECONDS.toNanos(serviceMicros);
    }

    /** Stops serving for some time. */
    synchronized void stall(long millis) {
        freeAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private synchronized long endNanos() {
        freeAtNanos = Math.max(freeAtNanos, System.nanoTime()) + serviceNanos;
        return freeAtNanos;
    }

    @Override
    public Session session(long user, long seed) {
        return this::request;
    }

    private CompletionStage<RequestOutcome> request() {
        asked.incrementAndGet();
        CompletableFuture<RequestOutcome> answer = new CompletableFuture<>();
        long end = endNanos();
        var unused = clock.schedule(
                () -> {
                    longestDelayNanos.accumulateAndGet(System.nanoTime() - end, Math::max);
                    answer.complete(RequestOutcome.ANSWERED);
                },
                end - System.nanoTime(),
                TimeUnit.NANOSECONDS);
        return answer;
    }

    /** How much later than the queue means an answer came at most, since the machine was busy. */
    public long longestDelayMillis() throws ExecutionException, InterruptedException {
        // What is due comes before.
        clock.submit(() -> {}).get();
        return TimeUnit.NANOSECONDS.toMillis(longestDelayNanos.get());
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
