package io.kipimo.gateway.proxy;

import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.grpc.GrpcCall;
import io.kipimo.gateway.http.ForwardedHeaders;
import io.kipimo.gateway.http.RequestCheck;
import io.kipimo.gateway.metrics.RouteCounts.Fault;
import io.kipimo.gateway.metrics.RouteCounts.RouteEvent;
import io.kipimo.gateway.transport.PipelineHandlers;
import io.kipimo.gateway.transport.TlsBytesException;
import io.kipimo.sdk.internal.net.Address;
import io.netty.handler.codec.http2.Http2Exception;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/**
 * One event loop. It accepts connections of every listener and has its own connections to the servers, so each request
 * stays on one thread.
 */
public final class ProxyVerticle extends AbstractVerticle {
    private static final int CONNECTIONS = 4_096;
    private static final int BACKLOG = 1_024;
    private static final int MOST_STREAMS = 100;
    private static final int HTTP2_CONNECTIONS = 16;
    private static final int READ_MILLIS = 5_000;
    private static final int MOST_READ_BYTES = 8 << 20;

    /** Prefixes of names of headers that belong to a query, not to its caller. */
    private static final Set<String> OF_QUERY =
            Set.of("content-", "accept-encoding", "if-", "range", "expect", "traceparent", "tracestate");

    private final List<Route> routes;
    private final Map<Route, Integer> ports;
    private final Map<Route, Integer> wanted;
    private final Map<Route, HttpClient> clients = new HashMap<>();
    private final Map<Route, HttpClient> http2Clients = new HashMap<>();
    private final Map<Route, HttpServer> servers = new HashMap<>();

    /** Connections to close after their current response. */
    private final Set<HttpConnection> closing = Collections.newSetFromMap(new WeakHashMap<>());

    /**
     * @param ports to listen on; loops with the same negative port share a free one; {@link #start} replaces them by
     *     the actual ports
     */
    public ProxyVerticle(List<Route> routes, Map<Route, Integer> ports) {
        this.routes = routes;
        this.ports = ports;
        this.wanted = Map.copyOf(ports);
    }

    @Override
    public void start(Promise<Void> started) {
        List<Future<?>> listening = new ArrayList<>();
        for (Route route : routes) {
            ListenerConfig config = route.config();
            clients.put(route, client(route, config));
            if (config.http2()) {
                http2Clients.put(route, http2Client(route, config));
            }
            HttpServerOptions options = new HttpServerOptions()
                    .setHost(config.listen().host())
                    .setPort(wanted.get(route))
                    .setAcceptBacklog(BACKLOG)
                    .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                    .setIdleTimeout((int) config.timeouts().idleMillis())
                    .setHandle100ContinueAutomatically(true)
                    .setHttp2ClearTextEnabled(false)
                    .setMaxHeaderSize(config.clients().headBytes())
                    .setMaxInitialLineLength(config.clients().lineBytes())
                    .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                    .setSslHandshakeTimeout(config.clients().headMillis());
            route.tls().secure(options);
            if (config.http2()) {
                options.setHttp2ClearTextEnabled(config.isOnlyHttp2())
                        .setUseAlpn(!config.isOnlyHttp2())
                        .setInitialSettings(new Http2Settings()
                                .setMaxConcurrentStreams(MOST_STREAMS)
                                .setMaxHeaderListSize(config.clients().headBytes()));
            }
            HttpServer server = vertx.createHttpServer(options)
                    .connectionHandler(connection -> {
                        if (!config.isOnlyHttp2()) {
                            PipelineHandlers.ofCaller(connection, options, config, route.counts());
                        }
                    })
                    .exceptionHandler(e -> route.tlsFaults().caller(e))
                    .invalidRequestHandler(request -> refuse(route, request))
                    .requestHandler(request -> serve(route, request));
            servers.put(route, server);
            listening.add(server.listen().onSuccess(bound -> ports.put(route, bound.actualPort())));
        }
        Future.all(listening).<Void>mapEmpty().onComplete(started);
    }

    /** Creates the client for gRPC calls, which share few connections. */
    private HttpClient http2Client(Route route, ListenerConfig config) {
        HttpClientOptions options = new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setUseAlpn(config.serverTls().isPresent())
                .setAlpnVersions(List.of(HttpVersion.HTTP_2))
                .setConnectTimeout(config.timeouts().connectMillis())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) config.timeouts().idleMillis())
                .setInitialSettings(new Http2Settings().setMaxHeaderListSize(config.responseHeadBytes()));
        route.tls().secure(options);
        return vertx.createHttpClient(options, new PoolOptions().setHttp2MaxSize(HTTP2_CONNECTIONS));
    }

    private HttpClient client(Route route, ListenerConfig config) {
        HttpClientOptions options = new HttpClientOptions()
                .setConnectTimeout(config.timeouts().connectMillis())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) config.timeouts().idleMillis())
                .setDecompressionSupported(false);
        route.tls().secure(options);
        return vertx.httpClientBuilder()
                .with(options)
                .with(new PoolOptions().setHttp1MaxSize(CONNECTIONS))
                .withConnectHandler(
                        connection -> PipelineHandlers.ofServer(connection, config.responseHeadBytes(), route.counts()))
                .build();
    }

    private void serve(Route route, HttpServerRequest request) {
        if (isClosing(request.connection())) {
            return;
        }
        route.counts().count(RouteEvent.REQUESTS);
        CallerResponse response = new CallerResponse(this, route, request);
        if (route.config().isOnlyHttp2() && request.version() != HttpVersion.HTTP_2) {
            // Its bytes have not been checked.
            route.counts().count(Fault.CALLER_NOT_HTTP2);
            response.refuse(new RequestCheck.Refusal(505, "only HTTP/2 is spoken here"));
            return;
        }
        new Admission(route, request, response)
                .admit(admitted -> new Exchange(this, route, admitted, response).begin());
    }

    /** Handles bytes that are not a valid request. */
    private void refuse(Route route, HttpServerRequest request) {
        if (isClosing(request.connection())) {
            return;
        }
        route.counts().count(RouteEvent.REQUESTS);
        route.counts().count(RouteEvent.REFUSED);
        route.counts().count(Fault.REQUEST_HEAD);
        if (request.decoderResult().cause() instanceof TlsBytesException) {
            route.tlsFaults().callerSpeaksTls();
        }
        HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
        route.counts().status(request.response().getStatusCode());
    }

    Vertx vertx() {
        return vertx;
    }

    /** Ignores further requests on the connection. */
    void closing(HttpConnection connection) {
        closing.add(connection);
    }

    boolean isClosing(HttpConnection connection) {
        return !closing.isEmpty() && closing.contains(connection);
    }

    /** Opens a request to a server of a route. */
    Future<HttpClientRequest> open(Route route, int server, RequestOptions options) {
        Address address = route.config().servers().get(server);
        String name =
                route.config().serverTls().map(ListenerConfig.ServerTls::name).orElse("");
        if (!name.isEmpty()) {
            // The connection goes to the address, and the certificate has the name.
            options.setServer(SocketAddress.inetSocketAddress(address.port(), address.host()));
        }
        options.setHost(name.isEmpty() ? address.host() : name).setPort(address.port());
        HttpClient http2 = GrpcCall.is(options.getHeaders()) ? http2Clients.get(route) : null;
        return (http2 == null ? clients.get(route) : http2)
                .request(options)
                .onSuccess(request -> request.response()
                        .onSuccess(response -> route.tlsFaults().answered())
                        .onFailure(e -> {
                            if (e instanceof HttpClosedException) {
                                route.tlsFaults().closed(vertx, address);
                            }
                        }))
                .onFailure(e -> {
                    if (e instanceof Http2Exception || e.getCause() instanceof Http2Exception) {
                        route.counts().count(Fault.SERVER_NOT_HTTP2);
                    }
                    route.tlsFaults().server(address, e);
                });
    }

    /** Uses changed certificate files of a route for new connections. */
    public void renewTls(Route route) {
        context.runOnContext(v -> {
            boolean alpn = route.config().http2();
            route.tls().callers().ifPresent(tls -> servers.get(route).updateSSLOptions(tls.setUseAlpn(alpn)));
            route.tls().servers().ifPresent(tls -> clients.get(route).updateSSLOptions(tls));
            if (alpn) {
                route.tls().servers().ifPresent(tls -> http2Clients.get(route).updateSSLOptions(tls.setUseAlpn(true)));
            }
        });
    }

    /** Replays a query through the front end, on this loop. */
    public Future<ReplayAnswer> replay(Route route, ReplayRequest request) {
        Promise<ReplayAnswer> done = Promise.promise();
        Context own = context;
        own.runOnContext(v -> new ReplayCall(this, route, request, done).run());
        return done.future();
    }

    /**
     * Reads something of a server's API, on this loop: at most {@link #MOST_READ_BYTES}, within {@link #READ_MILLIS}.
     *
     * @param headers of a query, as they may identify its caller
     */
    public Future<Buffer> read(Route route, int server, String target, MultiMap headers) {
        Promise<Buffer> done = Promise.promise();
        context.runOnContext(v -> {
            MultiMap own = HttpHeaders.headers();
            ForwardedHeaders.copy(headers, own);
            own.names().stream()
                    .filter(name -> OF_QUERY.stream().anyMatch(name.toLowerCase(Locale.ROOT)::startsWith))
                    .toList()
                    .forEach(own::remove);
            RequestOptions options = new RequestOptions().setURI(target).setHeaders(own);
            open(route, server, options).onFailure(done::tryFail).onSuccess(request -> {
                long timer = vertx.setTimer(READ_MILLIS, t -> {
                    done.tryFail("was not answered in " + READ_MILLIS + " ms");
                    GrpcCall.abort(request);
                });
                done.future().onComplete(over -> vertx.cancelTimer(timer));
                request.send().onFailure(done::tryFail).onSuccess(response -> read(response, done));
            });
        });
        return done.future();
    }

    private static void read(HttpClientResponse response, Promise<Buffer> done) {
        Buffer body = Buffer.buffer();
        response.exceptionHandler(done::tryFail).endHandler(end -> {
            if (response.statusCode() == 200) {
                done.tryComplete(body);
            } else {
                done.tryFail("was answered with status " + response.statusCode());
            }
        });
        response.handler(piece -> {
            if (body.length() + piece.length() <= MOST_READ_BYTES) {
                body.appendBuffer(piece);
            } else {
                done.tryFail("is larger than " + MOST_READ_BYTES + " bytes");
                GrpcCall.abort(response.request());
            }
        });
    }

    @Override
    public void stop(Promise<Void> stopped) {
        List<Future<?>> closing = new ArrayList<>();
        servers.values().forEach(server -> closing.add(server.close()));
        clients.values().forEach(client -> closing.add(client.close()));
        http2Clients.values().forEach(client -> closing.add(client.close()));
        Future.join(closing).<Void>mapEmpty().onComplete(done -> stopped.complete());
    }
}
