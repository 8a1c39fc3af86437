package io.kipimo.loadgen.generator;

import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Workload;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
        var unused = clock.schedule(
                () -> answer.complete(RequestOutcome.ANSWERED), endNanos() - System.nanoTime(), TimeUnit.NANOSECONDS);
        return answer;
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
