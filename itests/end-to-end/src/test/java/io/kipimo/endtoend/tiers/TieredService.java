package io.kipimo.endtoend.tiers;

import io.kipimo.loadgen.generator.OpenLoop;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.Random;
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
    private final Tier first;
    private final Tier last;
    private final Thread load;
    private volatile boolean closed;

    /**
     * Starts the service; it serves immediately.
     *
     * @param service name of the service whose decisions the gateways follow
     * @param answeredMicros receives the latency of each answered request from its intended start, microseconds
     * @throws IOException if a gateway does not start
     */
    public TieredService(
            String service,
            KafkaSettings kafka,
            ServerTime firstTime,
            ServerTime lastTime,
            double requestsPerSecond,
            LongConsumer answeredMicros)
            throws IOException, InterruptedException {
        last = new Tier(service, LAST, SERVERS, lastTime, null, kafka, vertx);
        first = new Tier(service, FIRST, SERVERS, firstTime, last, kafka, vertx);
        load = new Thread(
                () -> OpenLoop.run(
                        OpenLoop.poisson(requestsPerSecond, new Random(SEED), System.nanoTime())
                                .takeWhile(due -> !closed),
                        due -> vertx.runOnContext(v -> first.ask()
                                .onSuccess(done -> answeredMicros.accept((System.nanoTime() - due) / 1_000)))),
                "tiers-load");
        load.setDaemon(true);
        load.start();
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
        load.interrupt();
        first.close();
        last.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
