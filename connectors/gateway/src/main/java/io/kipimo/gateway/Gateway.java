package io.kipimo.gateway;

import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.config.Role;
import io.kipimo.gateway.index.EngineCount;
import io.kipimo.gateway.index.IndexFacts;
import io.kipimo.gateway.metrics.MetricsPage;
import io.kipimo.gateway.metrics.RouteCounts.RouteEvent;
import io.kipimo.gateway.proxy.ProxyVerticle;
import io.kipimo.gateway.proxy.Route;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.gateway.record.MemoCache;
import io.kipimo.gateway.record.QueryRecorder;
import io.kipimo.gateway.replay.Replayer;
import io.kipimo.gateway.transport.AcceptBounds;
import io.kipimo.gateway.transport.ConnectionBound;
import io.kipimo.gateway.trust.FleetSecret;
import io.kipimo.http.BufferBudget;
import io.kipimo.http.Limits;
import io.kipimo.http.PageServer;
import io.kipimo.http.Reply;
import io.kipimo.schemas.document.InvalidDocumentException;
import io.kipimo.sdk.internal.control.Control;
import io.kipimo.sdk.internal.control.KipimoControl;
import io.kipimo.sdk.internal.control.NoControl;
import io.kipimo.sdk.internal.net.Address;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.impl.VertxBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reverse proxy in front of the servers of one tier or several tiers.
 *
 * <pre>
 * caller -> admission -> local limit -> arbitration -> server
 *                                          |
 *                    recorder -> answers, partial results; memo cache
 * </pre>
 */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    private static final int PATIENCE_SECONDS = 10;
    private static final int REPLAY_TICK_MILLIS = 5;
    private static final int DRAIN_TICK_MILLIS = 20;
    private static final int CERTIFICATE_TICK_MILLIS = 5_000;
    private static final int INDEX_TICK_MILLIS = 100;
    private static final int COUNTER_TICK_MILLIS = 60_000;
    private static final int COMPARISONS_TICK_MILLIS = 5_000;

    private final GatewayConfig config;
    private final Control control;
    private final MemoCache memo;
    private final QueryRecorder recorder;
    private final Replayer replayer;
    private final BufferBudget buffers;
    private final Vertx vertx;
    private final List<Route> routes = new ArrayList<>();
    private final Map<Route, Integer> ports = new ConcurrentHashMap<>();
    private final List<ProxyVerticle> loops = new CopyOnWriteArrayList<>();
    private final PageServer admin = new PageServer(Limits.DEFAULT);
    private volatile boolean draining;

    private Gateway(GatewayConfig config, Control control, ItemReaders readers) {
        this.config = config;
        this.control = control;
        buffers = new BufferBudget(config.bufferBytes());
        memo = new MemoCache(
                config.record().redis(),
                config.record().expirationMillis(),
                config.record().memoBytes(),
                buffers);
        FleetSecret secret = FleetSecret.of(config.trust().secretFile());
        recorder = new QueryRecorder(config, control, readers, memo);
        replayer = new Replayer(config.record(), System::currentTimeMillis);
        for (ListenerConfig listener : config.listeners()) {
            Route route = new Route(config, listener, control, recorder, replayer, buffers, secret);
            routes.add(route);
            // Event loops that listen at the same negative port share one free port.
            int port = listener.listen().port();
            listener.engine().ifPresent(engine -> engine.cannotUndo()
                    .forEach(what -> LOG.info("{}: a replay cannot undo: {}", listener.name(), what)));
            ports.put(route, port == 0 ? -routes.size() : port);
        }
        if (routes.stream()
                        .anyMatch(r -> r.config().role() == Role.FRONT
                                && r.config().engine().isEmpty())
                && routes.stream().noneMatch(r -> r.config().role() == Role.COMPONENT)) {
            LOG.warn("no listener has role component, and a front has no engine: nothing shows whether its"
                    + " answers are complete, so none is measurable");
        }
        Map<Address, ConnectionBound> bounds = new HashMap<>();
        ports.forEach(
                (route, port) -> bounds.put(new Address(route.config().listen().host(), port), route.callers()));
        vertx = new VertxBuilder(new VertxOptions()
                        // One more loop, for timers.
                        .setEventLoopPoolSize(config.threads() + 1)
                        .setWorkerPoolSize(1)
                        .setFileSystemOptions(new FileSystemOptions()
                                .setFileCachingEnabled(false)
                                .setClassPathResolvingEnabled(false)))
                .findTransport(new AcceptBounds(bounds))
                .init()
                .vertx();
    }

    /**
     * Starts a gateway. It serves when this method returns.
     *
     * @throws InvalidDocumentException if something that the configuration names does not exist
     * @throws IllegalArgumentException if a secret cannot be read
     * @throws IOException if a port cannot be bound
     */
    public static Gateway start(GatewayConfig config) throws IOException, InterruptedException {
        return start(config, ItemReaders.of(config));
    }

    /** Starts a gateway as {@link #start(GatewayConfig)} does, but with these item readers. */
    public static Gateway start(GatewayConfig config, ItemReaders readers) throws IOException, InterruptedException {
        Control control =
                config.kipimo().<Control>map(KipimoControl::connect).orElseGet(() -> new NoControl(config.classes()));
        return start(config, control, readers);
    }

    /** Starts a gateway with this control instead of a connection to Kipimo. The gateway closes the control. */
    public static Gateway start(GatewayConfig config, Control control) throws IOException, InterruptedException {
        return start(config, control, ItemReaders.of(config));
    }

    static Gateway start(GatewayConfig config, Control control, ItemReaders readers)
            throws IOException, InterruptedException {
        Gateway gateway;
        try {
            gateway = new Gateway(config, control, readers);
        } catch (InvalidDocumentException e) {
            control.close();
            throw e;
        }
        try {
            gateway.listen();
            return gateway;
        } catch (IOException e) {
            gateway.close();
            throw e;
        } catch (ExecutionException | TimeoutException e) {
            gateway.close();
            throw new IOException(
                    "cannot listen: " + (e instanceof ExecutionException ? e.getCause() : e).getMessage(), e);
        }
    }

    private void listen() throws IOException, ExecutionException, TimeoutException, InterruptedException {
        await(vertx.deployVerticle(
                () -> {
                    ProxyVerticle loop = new ProxyVerticle(routes, ports);
                    loops.add(loop);
                    return loop;
                },
                new DeploymentOptions().setInstances(config.threads())));
        admin.page("/metrics", request -> Reply.of(MetricsPage.CONTENT_TYPE, metrics()))
                .handler("/readyz", request -> request.response()
                        .setStatusCode(draining ? 503 : 200)
                        .end(draining ? "draining\n" : "ok\n"))
                .listen(config.admin().host(), config.admin().port());
        if (config.listeners().stream()
                .anyMatch(l -> l.tls().isPresent() || l.serverTls().isPresent())) {
            vertx.setPeriodic(CERTIFICATE_TICK_MILLIS, t -> vertx.executeBlocking(this::renewCertificates));
        }
        if (config.listeners().stream().anyMatch(l -> l.arbitration().compareMillis() > 0)) {
            vertx.setPeriodic(COMPARISONS_TICK_MILLIS, t -> reportReplicas());
        }
        if (routes.stream().anyMatch(route -> route.indexes().isPresent())) {
            vertx.setPeriodic(INDEX_TICK_MILLIS, t -> readIndexes());
        }
        if (routes.stream().anyMatch(route -> route.engineCount().isPresent())) {
            vertx.setPeriodic(COUNTER_TICK_MILLIS, t -> readCounters());
        }
        List<Route> fronts =
                routes.stream().filter(r -> r.config().role() == Role.FRONT).toList();
        vertx.setPeriodic(
                REPLAY_TICK_MILLIS,
                t -> replayer.tick(
                        fronts, recorder, (route, request) -> loops.get(0).replay(route, request)));
    }

    /** Starts the reads that are due. They ask engines for the settings of their indexes. */
    private void readIndexes() {
        for (Route route : routes) {
            route.indexes().ifPresent(indexes -> indexes.due(System.nanoTime()).forEach(due -> read(
                            route, due.target(), due.headers())
                    .onComplete(read -> indexes.came(
                            due,
                            read.succeeded()
                                    ? IndexFacts.of(
                                            indexes.config(), read.result().getBytes())
                                    : IndexFacts.unknown(read.cause().getMessage() + ": " + due.target()),
                            System.nanoTime()))));
        }
    }

    private Future<Buffer> read(Route route, String target, MultiMap headers) {
        int server = (int) (route.arrivals() % route.config().servers().size());
        return loops.get(0).read(route, server, target, headers);
    }

    /** Compares each engine's own count of queries with the number of queries that were sent to it. */
    private void readCounters() {
        for (Route route : routes) {
            if (route.engineCount().isPresent() && route.newestHeaders().isPresent()) {
                readCounter(
                        route, route.engineCount().get(), route.newestHeaders().get());
            }
        }
    }

    private void readCounter(Route route, EngineCount count, MultiMap headers) {
        List<Future<Buffer>> reads = new ArrayList<>();
        int servers = count.config().ofCluster() ? 1 : route.config().servers().size();
        for (int server = 0; server < servers; server++) {
            reads.add(loops.get(0).read(route, server, count.config().read(), headers));
        }
        long sent = route.counts().of(RouteEvent.SENT_QUERIES);
        Future.join(reads)
                .onComplete(all -> count.read(
                        reads.stream()
                                .mapToDouble(read -> read.succeeded()
                                        ? count.in(read.result().toString())
                                        : Double.NaN)
                                .sum(),
                        sent));
    }

    private void reportReplicas() {
        for (Route route : routes) {
            route.replicas().truth(config.service(), config.server()).ifPresent(control::report);
        }
    }

    private Void renewCertificates() {
        routes.stream()
                .filter(route -> route.tls().renew())
                .forEach(route -> loops.forEach(loop -> loop.renewTls(route)));
        return null;
    }

    private static <T> T await(Future<T> future) throws ExecutionException, TimeoutException, InterruptedException {
        return future.toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** The metrics page. */
    public String metrics() {
        return GatewayFigures.page(
                routes,
                control,
                config.classes().keySet(),
                recorder,
                replayer,
                buffers,
                admin.connections().replaced());
    }

    /** Ports of the listeners, by name. */
    public Map<String, Integer> ports() {
        Map<String, Integer> byName = new LinkedHashMap<>();
        routes.forEach(route -> byName.put(route.config().name(), ports.get(route)));
        return byName;
    }

    /** Whether a replay runs or waits. */
    public boolean isReplaying() {
        return !replayer.isIdle();
    }

    public int adminPort() {
        return admin.port();
    }

    /**
     * Waits until the requests in progress have ended, at most as long as the configuration allows. From now on
     * {@code /readyz} answers 503, and responses close their connections. New requests are still served.
     */
    public void drain() throws InterruptedException {
        draining = true;
        routes.forEach(Route::drain);
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(config.drainMillis());
        while (routes.stream().anyMatch(r -> r.underWay() > 0) && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(DRAIN_TICK_MILLIS);
        }
    }

    /** Closes at once; call {@link #drain} first. */
    @Override
    public void close() {
        admin.close();
        try {
            await(vertx.close());
        } catch (ExecutionException | TimeoutException e) {
            // Process exit releases the rest.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        memo.close();
        control.close();
    }
}
