package io.kipimo.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;

/**
 * Reports reads to {@link RedisStaleKeys}. Reads that arrive during a round trip share the next one, so a read waits
 * for at most two round trips. An origin may send its answer once the answer's report is done. If the report fails, the
 * answer must not be cached.
 */
public final class StaleReadReports implements AutoCloseable {
    private static final int AT_ONCE = 1_000;

    private record StaleReadReport(String key, long expiryMillis, CompletableFuture<Void> done) {}

    private final RedisStaleKeys keys;
    private final LongSupplier nowMillis;
    private final BlockingQueue<StaleReadReport> waiting = new LinkedBlockingQueue<>(AT_ONCE * 10);
    private final Thread thread = new Thread(this::run, "kipimo-stale-reads");

    private StaleReadReports(RedisStaleKeys keys, LongSupplier nowMillis) {
        this.keys = keys;
        this.nowMillis = nowMillis;
    }

    /**
     * @param keys where reads are reported; the caller closes it
     * @param nowMillis the present time, epoch milliseconds
     */
    public static StaleReadReports to(RedisStaleKeys keys, LongSupplier nowMillis) {
        StaleReadReports reports = new StaleReadReports(keys, nowMillis);
        reports.thread.setDaemon(true);
        reports.thread.start();
        return reports;
    }

    /**
     * Queues a report, as {@link RedisStaleKeys#reportRead}. Never blocks.
     *
     * @return a future that completes when Redis has the report. It fails if Redis does not answer, or if too many
     *     reports are queued
     */
    public CompletableFuture<Void> report(String key, long expiryMillis) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (!waiting.offer(new StaleReadReport(key, expiryMillis, done))) {
            done.completeExceptionally(new IllegalStateException("too many reports wait"));
        }
        return done;
    }

    private void run() {
        List<StaleReadReport> taken = new ArrayList<>();
        try {
            while (true) {
                taken.add(waiting.take());
                waiting.drainTo(taken, AT_ONCE - 1);
                send(taken);
                taken.clear();
            }
        } catch (InterruptedException e) {
            waiting.drainTo(taken);
            taken.forEach(r -> r.done().completeExceptionally(e));
        }
    }

    private void send(List<StaleReadReport> reports) {
        long now = nowMillis.getAsLong();
        RedisStaleKeys.Batch batch = keys.batch();
        List<StaleReadReport> sent = new ArrayList<>(reports.size());
        for (StaleReadReport report : reports) {
            try {
                batch.reportRead(report.key(), report.expiryMillis(), now);
                sent.add(report);
            } catch (IllegalArgumentException e) {
                report.done().completeExceptionally(e);
            }
        }
        try {
            var unused = batch.send();
            sent.forEach(r -> r.done().complete(null));
        } catch (RuntimeException e) {
            sent.forEach(r -> r.done().completeExceptionally(e));
        }
    }

    /** Fails all queued reports. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
