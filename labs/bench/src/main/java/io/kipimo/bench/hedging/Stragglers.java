package io.kipimo.bench.hedging;

import io.kipimo.core.sampling.XxHash64;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Servers of which some answers are slow. Whether an answer is slow depends only on the request's number and on the
 * number of its copy, so every way of asking meets the same stragglers.
 */
final class Stragglers implements AutoCloseable {
    static final int SLOW_MILLIS = 200;

    /** One answer in this many is slow. */
    static final int ONE_IN = 30;

    private static final int SERVERS = 4;

    private final Vertx vertx = Vertx.vertx();
    private final List<Integer> ports = new ArrayList<>();
    private final LongAdder asked = new LongAdder();
    private final Map<String, Integer> copies = new HashMap<>();
    private volatile boolean isBrownOut;

    Stragglers() {
        for (int i = 0; i < SERVERS; i++) {
            HttpServer server = vertx.createHttpServer().requestHandler(this::answer);
            ports.add(server.listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join()
                    .actualPort());
        }
    }

    List<Integer> ports() {
        return ports;
    }

    /**
     * Starts a round.
     *
     * @param allSlow true: every answer is slow
     */
    void begin(boolean allSlow) {
        synchronized (copies) {
            copies.clear();
        }
        asked.reset();
        isBrownOut = allSlow;
    }

    /** Number of requests that reached the servers in this round, copies included. */
    long asked() {
        return asked.sum();
    }

    private void answer(HttpServerRequest request) {
        asked.increment();
        String number = request.getParam("n");
        int copy;
        synchronized (copies) {
            copy = copies.merge(number, 1, Integer::sum);
        }
        vertx.setTimer(isBrownOut ? SLOW_MILLIS : millis(number, copy), t -> request.response()
                .end("ok"));
    }

    /** Delay of an answer: usually 5 to 15 ms. */
    private static long millis(String number, int copy) {
        long hash = XxHash64.hash(number + ' ' + copy, 1);
        return Long.remainderUnsigned(hash, ONE_IN) == 0 ? SLOW_MILLIS : 5 + Long.remainderUnsigned(hash / ONE_IN, 11);
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
