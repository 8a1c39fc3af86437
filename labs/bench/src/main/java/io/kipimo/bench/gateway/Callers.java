package io.kipimo.bench.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** A closed load: each caller has one connection and sends its next request after each answer. */
final class Callers {
    private static final long MOST_MICROS = 60_000_000;

    private final Vertx vertx;
    private final int port;
    private final int callers;

    // Confined to the event loop.
    private Histogram latencies = new Histogram(MOST_MICROS, 3);
    private long failures;
    private long untilNanos;
    private int busy;

    /**
     * Results of the callers.
     *
     * @param latencies microseconds
     */
    record CallerResults(double perSecond, Histogram latencies, long failures) {}

    Callers(Vertx vertx, int port, int callers) {
        this.vertx = vertx;
        this.port = port;
        this.callers = callers;
    }

    CallerResults run(long millis) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        long start = System.nanoTime();
        vertx.runOnContext(v -> {
            HttpClient client =
                    vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(callers));
            untilNanos = start + TimeUnit.MILLISECONDS.toNanos(millis);
            busy = callers;
            for (int i = 0; i < callers; i++) {
                ask(client, done);
            }
        });
        done.await();
        double seconds = (System.nanoTime() - start) / 1e9;
        return new CallerResults(latencies.getTotalCount() / seconds, latencies, failures);
    }

    private void ask(HttpClient client, CountDownLatch done) {
        long start = System.nanoTime();
        if (start >= untilNanos) {
            if (--busy == 0) {
                client.close();
                done.countDown();
            }
            return;
        }
        client.request(new RequestOptions()
                        .setMethod(HttpMethod.GET)
                        .setHost("127.0.0.1")
                        .setPort(port)
                        .setURI("/search?q=water"))
                .compose(request -> request.send())
                .compose(response -> response.body())
                .onComplete(answered -> {
                    if (answered.succeeded()) {
                        latencies.recordValue(Math.min(MOST_MICROS, (System.nanoTime() - start) / 1_000));
                    } else {
                        failures++;
                    }
                    ask(client, done);
                });
    }
}
