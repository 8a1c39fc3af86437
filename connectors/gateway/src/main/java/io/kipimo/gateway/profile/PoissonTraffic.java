package io.kipimo.gateway.profile;

import io.kipimo.sdk.trace.TraceParent;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Sends queries as Poisson arrivals, without waiting for answers. */
final class PoissonTraffic implements AutoCloseable {
    private static final int CONNECTIONS = 1_024;
    private static final long TIMEOUT_MILLIS = 30_000;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context loop = vertx.getOrCreateContext();
    private final HttpClient client =
            vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(CONNECTIONS));

    /** Response times of one kind of queries; used on one event loop. */
    static final class ResponseTimes {
        private double sumMillis;
        private int count;

        /** Mean response time, milliseconds; NaN without queries. */
        double meanMillis() {
            return sumMillis / count;
        }

        int count() {
            return count;
        }
    }

    /** Results of the queries. */
    static final class TrafficResults {
        final ResponseTimes sampled = new ResponseTimes();
        final ResponseTimes unsampled = new ResponseTimes();
        int failures;
    }

    /**
     * Sends queries, and returns when all are answered.
     *
     * @param targets path and query of each request, used in turn
     * @param isSampled whether the query with a trace id is sampled
     */
    TrafficResults send(
            int port, List<String> targets, double perSecond, long millis, long seed, Predicate<String> isSampled)
            throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        TrafficResults found = new TrafficResults();
        int queries = (int) Math.max(1, perSecond * millis / 1_000);
        CountDownLatch answered = new CountDownLatch(queries);
        long start = System.nanoTime();
        double dueSeconds = 0;
        for (int i = 0; i < queries; i++) {
            dueSeconds -= Math.log(1 - random.nextDouble()) / perSecond;
            long due = start + (long) (dueSeconds * 1e9);
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            TraceParent trace = TraceParent.start(random);
            String target = targets.get(i % targets.size());
            boolean sampled = isSampled.test(trace.traceId());
            loop.runOnContext(v -> ask(port, target, trace, due, sampled ? found.sampled : found.unsampled)
                    .onComplete(done -> {
                        if (done.failed()) {
                            found.failures++;
                        }
                        answered.countDown();
                    }));
        }
        answered.await(2 * TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        return found;
    }

    private Future<Void> ask(int port, String target, TraceParent trace, long dueNanos, ResponseTimes times) {
        return client.request(new RequestOptions()
                        .setMethod(HttpMethod.GET)
                        .setHost("127.0.0.1")
                        .setPort(port)
                        .setURI(target)
                        .setTimeout(TIMEOUT_MILLIS)
                        .putHeader(TraceParent.HEADER, trace.format()))
                .compose(request -> request.send())
                .compose(response -> response.statusCode() / 100 == 2
                        ? response.end()
                        : Future.failedFuture("status " + response.statusCode()))
                .onSuccess(v -> {
                    times.count++;
                    times.sumMillis += (System.nanoTime() - dueNanos) / 1e6;
                });
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
