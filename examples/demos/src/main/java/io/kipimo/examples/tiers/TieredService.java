package io.kipimo.examples.tiers;

import io.kipimo.sdk.kafka.KafkaSettings;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Two tiers, {@value #FIRST} before {@value #LAST}, with {@value #SERVERS} servers and a gateway each, under a Poisson
 * load. Gateways follow decisions and report on their servers, so the tails job and the replication job close the
 * control loop. Service times are timers without computation, which leaves the processors to the jobs.
 *
 * <pre>{@code
 * load -> gateway -> web-0..3 -> gateway -> store-0..3
 *           ^ factors              ^ factors
 * }</pre>
 */
public final class TieredService implements AutoCloseable {
    public static final String FIRST = "web";
    public static final String LAST = "store";
    public static final int SERVERS = 4;

    private static final long SEED = 3;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Random random = new Random(SEED);
    private final double meanGapNanos;
    private final LongConsumer answeredMicros;
    private final Tier first;
    private final Tier last;
    private volatile boolean closed;
    private long dueNanos;

    private TieredService(
            String service,
            KafkaSettings kafka,
            ServerTime firstTime,
            ServerTime lastTime,
            double requestsPerSecond,
            LongConsumer answeredMicros)
            throws IOException, InterruptedException {
        this.meanGapNanos = TimeUnit.SECONDS.toNanos(1) / requestsPerSecond;
        this.answeredMicros = answeredMicros;
        last = new Tier(service, LAST, SERVERS, lastTime, null, kafka, vertx);
        first = new Tier(service, FIRST, SERVERS, firstTime, last, kafka, vertx);
        vertx.runOnContext(v -> {
            dueNanos = System.nanoTime();
            load();
        });
    }

    /**
     * Starts the service; it serves immediately.
     *
     * @param service name of the service whose decisions the gateways follow
     * @param answeredMicros receives the latency of each answered request from its intended start, microseconds
     * @throws IOException if a gateway does not start
     */
    public static TieredService start(
            String service,
            KafkaSettings kafka,
            ServerTime firstTime,
            ServerTime lastTime,
            double requestsPerSecond,
            LongConsumer answeredMicros)
            throws IOException, InterruptedException {
        return new TieredService(service, kafka, firstTime, lastTime, requestsPerSecond, answeredMicros);
    }

    /** Sends due requests, and schedules itself for the next one, with a resolution of 1 ms. */
    private void load() {
        if (closed) {
            return;
        }
        while (dueNanos <= System.nanoTime()) {
            long start = dueNanos;
            first.ask().onSuccess(v -> answeredMicros.accept((System.nanoTime() - start) / 1_000));
            dueNanos += (long) (-meanGapNanos * Math.log(1 - random.nextDouble()));
        }
        long waitMillis = (dueNanos - System.nanoTime()) / 1_000_000;
        vertx.setTimer(Math.max(1, waitMillis), t -> load());
    }

    /** Number of servers that received the newest request of {@value #FIRST}. */
    public int copiesInFirst() {
        return first.newestCopies();
    }

    /** Number of servers that received the newest request of {@value #LAST}. */
    public int copiesInLast() {
        return last.newestCopies();
    }

    @Override
    public void close() {
        closed = true;
        first.close();
        last.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
