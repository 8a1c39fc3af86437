package io.kipimo.examples.search.load;

import io.kipimo.examples.search.protocol.EpochMicros;
import io.kipimo.examples.search.protocol.Headers;
import io.kipimo.loadgen.generator.OpenLoop;
import io.kipimo.sdk.trace.TraceParent;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Sends a trace as an open load. One thread keeps the time, and one event loop sends and counts. No query waits for the
 * answer of another.
 */
public final class LoadGenerator implements AutoCloseable {
    private static final int CONNECTIONS = 4096;
    private static final long REQUEST_TIMEOUT_MILLIS = 5_000;
    private static final long LEAD_MICROS = 100_000;

    private final Vertx vertx;
    private final HttpClient client;
    private final String path;

    /** Makes a generator for the example search service. */
    public LoadGenerator() {
        this("/search?q=");
    }

    /**
     * Makes a generator for another service.
     *
     * @param path first part of a request's target, which the encoded query follows
     */
    public LoadGenerator(String path) {
        this.path = path;
        vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        client = vertx.createHttpClient(
                new HttpClientOptions().setConnectTimeout(1_000), new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    }

    /**
     * Sends the trace and waits for the last response.
     *
     * @param runSeed seed of the query ids; different for each run, because query ids are unique
     */
    public LoadResult run(LoadTarget target, ArrivalTrace trace, long runSeed) throws InterruptedException {
        return run(target, trace, runSeed, (arrival, latencyMicros, body) -> {});
    }

    /** Gets every answer of a run. The generator's event loop calls it. */
    public interface AnswerListener {
        /**
         * Called when a response with status 200 has arrived.
         *
         * @param latencyMicros from the intended start
         */
        void answered(Arrival arrival, long latencyMicros, Buffer body);
    }

    /** Runs like {@link #run(LoadTarget, ArrivalTrace, long)}, and hands the answers themselves to a listener. */
    public LoadResult run(LoadTarget target, ArrivalTrace trace, long runSeed, AnswerListener listener)
            throws InterruptedException {
        GeneratorRun run = new GeneratorRun(target, trace, runSeed, listener);
        run.keepTime();
        return run.await();
    }

    /**
     * Sends a closed load without pauses: a new query leaves as soon as an answer arrives, until {@code enough} holds.
     *
     * @param inFlight queries in progress at any time
     * @param enough called every second with the answers of each second so far
     * @return answers of each second
     */
    List<Integer> saturate(
            int port, Supplier<String> queries, int inFlight, Predicate<List<Integer>> enough, long runSeed)
            throws InterruptedException {
        SplittableRandom ids = new SplittableRandom(runSeed);
        List<Integer> seconds = new ArrayList<>();
        CompletableFuture<List<Integer>> done = new CompletableFuture<>();
        AtomicInteger answers = new AtomicInteger();
        Context loop = vertx.getOrCreateContext();
        loop.runOnContext(start -> {
            for (int i = 0; i < inFlight; i++) {
                askOn(port, queries, ids, answers, done);
            }
            vertx.setPeriodic(1_000, timer -> {
                seconds.add(answers.getAndSet(0));
                if (enough.test(seconds)) {
                    vertx.cancelTimer(timer);
                    done.complete(List.copyOf(seconds));
                }
            });
        });
        try {
            return done.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("counting failed", e);
        }
    }

    private void askOn(
            int port,
            Supplier<String> queries,
            SplittableRandom ids,
            AtomicInteger answers,
            CompletableFuture<List<Integer>> done) {
        ask(port, queries.get(), EpochMicros.now(), ids).onComplete(outcome -> {
            if (outcome.succeeded() && outcome.result().status() == 200) {
                answers.incrementAndGet();
            }
            if (!done.isDone()) {
                askOn(port, queries, ids, answers, done);
            }
        });
    }

    private record SearchReply(int status, String coverage, Buffer body) {}

    private Future<SearchReply> ask(int port, String query, long intendedMicros, SplittableRandom ids) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost("127.0.0.1")
                .setPort(port)
                .setURI(path + URLEncoder.encode(query, StandardCharsets.UTF_8))
                .setTimeout(REQUEST_TIMEOUT_MILLIS)
                .putHeader(TraceParent.HEADER, TraceParent.start(ids).format())
                .putHeader(Headers.INTENDED_START, Long.toString(intendedMicros));
        return client.request(options).compose(request -> request.send()).compose(response -> response.body()
                .map(body -> new SearchReply(response.statusCode(), response.getHeader(Headers.COVERAGE), body)));
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** One run. Everything except {@link #keepTime} and {@link #await} happens on its event loop. */
    private final class GeneratorRun {
        private final LoadTarget target;
        private final ArrivalTrace trace;
        private final AnswerListener listener;
        private final SplittableRandom ids;
        private final LoadCounts counts;
        private final Context loop = vertx.getOrCreateContext();
        private final CompletableFuture<LoadResult> result = new CompletableFuture<>();
        private final long startMicros = EpochMicros.now() + LEAD_MICROS;
        private int open;

        GeneratorRun(LoadTarget target, ArrivalTrace trace, long runSeed, AnswerListener listener) {
            this.target = target;
            this.listener = listener;
            this.trace = trace;
            ids = new SplittableRandom(runSeed);
            counts = new LoadCounts((int) Math.ceil(trace.duration().toMillis() / 1e3));
            open = trace.arrivals().size();
        }

        void keepTime() {
            long startNanos = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(startMicros - EpochMicros.now());
            Iterator<Arrival> arrivals = trace.arrivals().iterator();
            OpenLoop.run(
                    trace.arrivals().stream()
                            .mapToLong(a -> startNanos + TimeUnit.MICROSECONDS.toNanos(a.offsetMicros())),
                    due -> {
                        Arrival arrival = arrivals.next();
                        loop.runOnContext(ready -> send(arrival));
                    });
        }

        LoadResult await() throws InterruptedException {
            if (trace.arrivals().isEmpty()) {
                return counts.toResult(0);
            }
            try {
                return result.get(2 * REQUEST_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                loop.runOnContext(late -> result.complete(counts.toResult(open)));
                return result.join();
            } catch (ExecutionException e) {
                throw new IllegalStateException("counting failed", e);
            }
        }

        private void send(Arrival arrival) {
            long intended = startMicros + arrival.offsetMicros();
            counts.sent(arrival, EpochMicros.now() - intended);
            ask(target.port(arrival.queryClass()), arrival.query(), intended, ids)
                    .onComplete(outcome -> onOutcome(arrival, intended, outcome));
        }

        private void onOutcome(Arrival arrival, long intended, AsyncResult<SearchReply> outcome) {
            int status = outcome.succeeded() ? outcome.result().status() : 0;
            if (status == 200) {
                long latencyMicros = EpochMicros.now() - intended;
                counts.answered(
                        arrival, latencyMicros, isDegraded(outcome.result().coverage()));
                listener.answered(arrival, latencyMicros, outcome.result().body());
            } else if (status == 429) {
                counts.rejected(arrival);
            }
            open--;
            if (open == 0) {
                result.complete(counts.toResult(0));
            }
        }
    }

    /** Returns whether an answer lacks components. The text of its coverage is {@code inTime/all}. */
    private static boolean isDegraded(String coverage) {
        if (coverage == null) {
            return false;
        }
        int slash = coverage.indexOf('/');
        return !coverage.substring(0, slash).equals(coverage.substring(slash + 1));
    }
}
