package io.kipimo.examples.search.component;

import io.kipimo.examples.http.HttpServers;
import io.kipimo.examples.search.index.Partition;
import io.kipimo.examples.search.index.QueryLanguage;
import io.kipimo.examples.search.protocol.ComponentResult;
import io.kipimo.examples.search.protocol.EpochMicros;
import io.kipimo.examples.search.protocol.Headers;
import io.kipimo.sdk.ServerReporter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.Comparator;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.search.Query;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition as a server: {@code GET /search?q=QUERY&k=20} answers with a {@link ComponentResult}.
 *
 * <p>One worker serves queries in the order of {@link QueueOrder}. An unsampled query causes no work after its answer
 * has left. It is refused if the queue is full, skipped if its deadline has passed, or cut if the deadline passes
 * during the search. The response then has status 204 and a {@link ShedReason}.
 *
 * <p>Sampled queries are always searched to the end, because dropping slow ones would bias the measured quality. Only a
 * query whose caller has gone is skipped. Sampled queries may exceed the capacity of the queue, up to
 * {@value #SAMPLED_CAPACITY}.
 */
public final class SearchComponent {
    private static final Logger LOG = LoggerFactory.getLogger(SearchComponent.class);
    private static final int SAMPLED_CAPACITY = 4096;

    private final Partition partition;
    private final int queueCapacity;
    private final QueueOrder order;
    private final ThreadPoolExecutor worker;
    private final HttpServer server;

    /** The query parser, which only the worker's thread uses. */
    private final QueryLanguage language = new QueryLanguage();

    private final ServerReporter reporter;

    private final AtomicLong tasks = new AtomicLong();

    private SearchComponent(
            Vertx vertx, Partition partition, int queueCapacity, QueueOrder order, ServerReporter reporter) {
        this.partition = partition;
        this.reporter = reporter;
        this.queueCapacity = queueCapacity;
        this.order = order;
        worker = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new PriorityBlockingQueue<>(),
                task -> new Thread(task, "search-" + partition.name()));
        server = vertx.createHttpServer(HttpServers.onLoopback(0)).requestHandler(this::onRequest);
    }

    /**
     * Starts a server on a free port of 127.0.0.1.
     *
     * @param queueCapacity limit of unsampled queries that wait
     * @param reporter counts every query
     */
    public static Future<SearchComponent> start(
            Vertx vertx, Partition partition, int queueCapacity, QueueOrder order, ServerReporter reporter) {
        SearchComponent component = new SearchComponent(vertx, partition, queueCapacity, order, reporter);
        return component.server.listen().map(component);
    }

    public String name() {
        return partition.name();
    }

    public int port() {
        return server.actualPort();
    }

    public Future<Void> close() {
        worker.shutdownNow();
        return server.close();
    }

    private void onRequest(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        if (!request.path().equals("/search")) {
            response.setStatusCode(404).end();
            return;
        }
        SearchTask task;
        try {
            task = new SearchTask(
                    this,
                    request.getParam("q", ""),
                    Integer.parseInt(request.getParam("k", "20")),
                    deadline(request.getHeader(Headers.DEADLINE)),
                    Boolean.parseBoolean(request.getHeader(Headers.SAMPLED)),
                    order == QueueOrder.CLASS && Headers.HIGH_CLASS.equals(request.getHeader(Headers.CLASS)),
                    tasks.incrementAndGet(),
                    response,
                    reporter.arrived());
        } catch (NumberFormatException e) {
            refuse(response, "k or " + Headers.DEADLINE + " is not a whole number");
            return;
        }
        int waiting = worker.getQueue().size();
        if (waiting >= SAMPLED_CAPACITY) {
            reporter.failed(task.arrival);
            response.setStatusCode(503).end();
            return;
        }
        if (!task.sampled && !task.first && waiting >= queueCapacity) {
            reporter.failed(task.arrival);
            shed(response, ShedReason.QUEUE_FULL);
            return;
        }
        try {
            worker.execute(task);
        } catch (RejectedExecutionException e) {
            reporter.failed(task.arrival);
            response.setStatusCode(503).end();
        }
    }

    private void work(SearchTask task) {
        if (task.response.closed()) {
            reporter.timedOut(task.arrival);
            return;
        }
        long startedAt = EpochMicros.now();
        if (!task.sampled && startedAt >= task.deadlineMicros) {
            reporter.timedOut(task.arrival);
            shed(task.response, ShedReason.STALE);
            return;
        }
        try {
            Query query = language.parse(task.query);
            Partition.Cut cut = task.sampled ? Partition.Cut.NEVER : () -> EpochMicros.now() >= task.deadlineMicros;
            Partition.PartitionSearch search = partition.search(query, task.k, cut);
            if (search.complete()) {
                long workMicros = EpochMicros.now() - startedAt;
                reporter.completed(task.arrival);
                task.response.end(new ComponentResult(workMicros, search.hits()).encode());
            } else {
                reporter.timedOut(task.arrival);
                shed(task.response, ShedReason.CUT);
            }
        } catch (IllegalArgumentException e) {
            reporter.failed(task.arrival);
            refuse(task.response, e.getMessage());
        } catch (IOException | RuntimeException e) {
            reporter.failed(task.arrival);
            LOG.warn("{} failed at '{}'", partition.name(), task.query, e);
            task.response.setStatusCode(500).end();
        }
    }

    private static long deadline(String header) {
        return header == null ? Long.MAX_VALUE : Long.parseLong(header);
    }

    private static void shed(HttpServerResponse response, ShedReason reason) {
        response.putHeader(Headers.SHED, reason.name()).setStatusCode(204).end();
    }

    private static void refuse(HttpServerResponse response, String why) {
        response.setStatusCode(400).end(why);
    }

    /**
     * A query that waits for the worker. Tasks are sorted by the order in which they are served.
     *
     * @param first whether the query is served before all queries for which this is false
     * @param number order of arrival
     */
    record SearchTask(
            SearchComponent component,
            String query,
            int k,
            long deadlineMicros,
            boolean sampled,
            boolean first,
            long number,
            HttpServerResponse response,
            long arrival)
            implements Runnable, Comparable<SearchTask> {
        private static final Comparator<SearchTask> NEXT =
                Comparator.comparing((SearchTask task) -> !task.first).thenComparing(SearchTask::number);

        @Override
        public void run() {
            component.work(this);
        }

        @Override
        public int compareTo(SearchTask other) {
            return NEXT.compare(this, other);
        }
    }
}
