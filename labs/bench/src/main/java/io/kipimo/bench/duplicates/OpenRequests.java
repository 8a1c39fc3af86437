package io.kipimo.bench.duplicates;

import io.kipimo.loadgen.generator.OpenLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** An open load: requests start on schedule, even if earlier ones are still unanswered. */
final class OpenRequests {
    /** Latency of each request from its scheduled time, milliseconds. */
    private final Queue<Double> found = new ConcurrentLinkedQueue<>();

    private final AtomicInteger failures = new AtomicInteger();

    /** Sends requests at random times (Poisson). Returns when all are answered. */
    void run(double perSecond, long millis, long seed, Supplier<CompletableFuture<?>> ask) {
        List<CompletableFuture<?>> asked = new ArrayList<>();
        long start = System.nanoTime();
        long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
        OpenLoop.run(
                OpenLoop.poisson(perSecond, new Random(seed), start).takeWhile(due -> due <= end),
                due -> asked.add(ask.get().handle((answer, failure) -> {
                    if (failure == null) {
                        found.add((System.nanoTime() - due) / 1e6);
                    } else {
                        failures.incrementAndGet();
                    }
                    return null;
                })));
        CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0])).join();
    }

    double[] millis() {
        return found.stream().mapToDouble(m -> m).toArray();
    }

    int failures() {
        return failures.get();
    }
}
