package io.kipimo.examples.tiers;

import io.kipimo.sdk.kafka.KafkaSettings;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Two tiers, {@value #FIRST} before {@value #LAST}, with {@value #SERVERS} servers and a gateway
 * each, under a Poisson load. Gateways follow decisions and tell of their servers, so that with the
 * tails job and the replication job the loop is closed. Times are waited for, not computed: the
 * machine is left to the jobs.
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
        vertx.runOnContext(
                v -> {
                    dueNanos = System.nanoTime();
                    load();
                });
    }

    /**
     * Serves at once.
     *
     * @param service whose decisions the gateways follow
     * @param answeredMicros hears of each answered request how long it took, from when it was due
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
        return new TieredService(
                service, kafka, firstTime, lastTime, requestsPerSecond, answeredMicros);
    }

    /** Sends what is due, and comes again when the next one is, to a millisecond. */
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

    /** Servers that the newest request of {@value #FIRST} was sent to. */
    public int copiesInFirst() {
        return first.newestCopies();
    }

    /** Servers that the newest request of {@value #LAST} was sent to. */
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
