package io.kipimo.console.server;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.kipimo.http.Connections;
import io.kipimo.http.HeadRefusedException;
import io.kipimo.http.Limits;
import io.kipimo.http.PageServer;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the page and its data over HTTP, on one event loop:
 *
 * <pre>
 * GET  /                    the page; other files by their names
 * GET  /api/state           everything
 * GET  /api/summary         the data of the first screen
 * GET  /api/services/NAME   one service
 * GET  /api/user            the user whom a proxy has logged in; null: nobody
 * GET  /api/events          pushes summaries as server-sent events (HTML standard); ?service=NAME: its data, too
 * POST, DELETE /api/services/NAME/classes/CLASS/override
 * POST /api/services/NAME/kill
 * GET  /api/v1/queries      the worst queries; ?service=NAME, class=NAME, limit=N
 * GET  /api/v1/gate         a verdict on a release, for Argo Rollouts; parameters are the options of kipimo gate
 * POST /api/v1/flagger      the same for Flagger's webhooks, with parameters in metadata; 200 only on PASS
 * GET  /healthz, /metrics
 * </pre>
 */
public final class ConsoleServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleServer.class);
    private static final List<String[]> HEADERS = List.of(
            new String[] {
                "Content-Security-Policy",
                "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri"
                        + " 'none'; form-action 'none'; frame-ancestors 'none'"
            },
            new String[] {"X-Content-Type-Options", "nosniff"},
            new String[] {"Referrer-Policy", "no-referrer"},
            new String[] {"Cross-Origin-Resource-Policy", "same-origin"},
            new String[] {"Cross-Origin-Opener-Policy", "same-origin"});

    private final ServerSettings settings;
    private final Content content;
    private final PageFiles files = new PageFiles();
    private final Access access;
    private final WriteRequests writes;
    private final GateRequests gates;
    private final Documents documents;
    private final EventStreams streams;
    private final Connections connections;
    private final PageServer http;

    private ConsoleServer(ServerSettings settings, Content content, Writes writes, Gates gates, Limits limits) {
        this.settings = settings;
        this.content = content;
        this.access = new Access(settings);
        this.http = new PageServer(limits);
        this.connections = http.connections();
        Vertx vertx = http.vertx();
        this.writes = new WriteRequests(vertx, writes);
        this.gates = new GateRequests(vertx, gates);
        this.documents = new Documents(vertx, content);
        this.streams = new EventStreams(vertx, documents, limits.streams());
    }

    /**
     * Starts the server. When this method returns, it accepts requests.
     *
     * @throws IOException if the port cannot be opened
     */
    public static ConsoleServer start(ServerSettings settings, Content content, Writes writes, Gates gates)
            throws IOException, InterruptedException {
        return start(settings, content, writes, gates, Limits.DEFAULT);
    }

    /** Starts with given limits, for tests. */
    static ConsoleServer start(ServerSettings settings, Content content, Writes writes, Gates gates, Limits limits)
            throws IOException, InterruptedException {
        ConsoleServer server = new ConsoleServer(settings, content, writes, gates, limits);
        server.http.listen(settings.host(), settings.port(), server::handle, server::refuse);
        return server;
    }

    public int port() {
        return http.port();
    }

    /** Address of the page, without the token. */
    public String address() {
        String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
        return "http://" + host + ":" + port() + "/";
    }

    private void handle(HttpServerRequest request) {
        prepare(request);
        try {
            route(request, RequestTarget.of(request.uri()));
        } catch (RuntimeException e) {
            fail(request, e);
        }
    }

    /** Refuses a malformed head. The connection ends, because later bytes cannot be parsed. */
    private void refuse(HttpServerRequest request) {
        prepare(request);
        Throwable cause = request.decoderResult().cause();
        int status = PageServer.refusal(cause);
        String why =
                switch (status) {
                    case 414 -> "request line is too long";
                    case 431 -> "headers are too long";
                    default -> cause instanceof HeadRefusedException ? cause.getMessage() : "request is malformed";
                };
        fail(request, new RequestRefusedException(status, why));
    }

    private static void prepare(HttpServerRequest request) {
        HEADERS.forEach(header -> request.response().putHeader(header[0], header[1]));
    }

    private void route(HttpServerRequest request, RequestTarget target) {
        boolean api = target.path().get(0).equals("api");
        if (target.is("healthz")) {
            allow(request, HttpMethod.GET, HttpMethod.HEAD);
            text(request, "ok\n");
        } else if (target.is("api", "v1", "flagger")) {
            allow(request, HttpMethod.POST);
            access.checkOwnPage(request);
            flagger(request, target);
        } else if (api && target.path().size() > 3) {
            access.checkWrite(request, target);
            change(request, target.path());
        } else {
            allow(request, HttpMethod.GET, HttpMethod.HEAD);
            if (target.is("") && target.parameter("token").isPresent()) {
                enter(request, target.parameter("token").get());
                return;
            }
            access.checkRead(request, target);
            if (access.isKnown(request)) {
                connections.of(request).known();
            }
            if (api) {
                access.checkOwnPage(request);
                show(request, target);
            } else if (target.is("metrics")) {
                access.checkOwnPage(request);
                text(request, content.metrics() + ownMetrics());
            } else {
                file(request, target.is("") ? List.of("index.html") : target.path());
            }
        }
    }

    private String ownMetrics() {
        return "kipimo_console_streams " + streams.size() + "\nkipimo_console_connections " + connections.size() + "\n";
    }

    private static void allow(HttpServerRequest request, HttpMethod... methods) {
        if (!Arrays.asList(methods).contains(request.method())) {
            request.response().putHeader(HttpHeaders.ALLOW, String.join(", ", names(methods)));
            throw new RequestRefusedException(405, "method is not supported; allowed: " + names(methods));
        }
    }

    private static List<String> names(HttpMethod... methods) {
        return Arrays.stream(methods).map(HttpMethod::name).toList();
    }

    /** Exchanges the token in the address for a cookie, and redirects to the address without it. */
    private void enter(HttpServerRequest request, String token) {
        if (!access.isToken(token)) {
            throw new RequestRefusedException(401, "token is wrong");
        }
        request.response()
                .addCookie(access.cookie())
                .putHeader(HttpHeaders.LOCATION, "/")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .setStatusCode(303)
                .end();
    }

    private void show(HttpServerRequest request, RequestTarget target) {
        List<String> path = target.path();
        if (path.size() == 3 && path.get(1).equals("services")) {
            json(request, documents.service(path.get(2)), "no service '" + path.get(2) + "'");
            return;
        }
        switch (String.join("/", path)) {
            case "api/state" -> json(request, documents.state(), "no state");
            case "api/summary" -> json(request, documents.summary(), "no summary");
            case "api/user" -> user(request);
            case "api/events" -> events(request, target.parameter("service"));
            case "api/v1/queries" -> queries(request, target);
            case "api/v1/gate" -> gate(request, target);
            default -> throw noSuchPath();
        }
    }

    private void user(HttpServerRequest request) {
        String name =
                access.user(request).map(user -> '"' + escaped(user) + '"').orElse("null");
        end(request, 200, "{\"user\":" + name + "}");
    }

    private void queries(HttpServerRequest request, RequestTarget target) {
        target.allow("service", "class", "limit");
        String limit = target.parameter("limit").orElse("20");
        if (!limit.matches("[1-9]\\d{0,2}")) {
            throw new RequestRefusedException(400, "limit is '" + limit + "'; allowed: 1..999");
        }
        json(
                request,
                documents.queries(target.parameter("service"), target.parameter("class"), Integer.parseInt(limit)),
                "no queries");
    }

    private void gate(HttpServerRequest request, RequestTarget target) {
        gates.judge(target.query())
                .onSuccess(verdict -> {
                    request.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
                    end(request, "application/json", new Rendered(verdict.document()));
                })
                .onFailure(e -> fail(request, e));
    }

    private void flagger(HttpServerRequest request, RequestTarget target) {
        WriteRequests.body(request)
                .compose(body -> {
                    Map<String, String> parameters = GateRequests.metadata(body);
                    access.checkRead(request, target, Optional.ofNullable(parameters.remove("token")));
                    return gates.judge(parameters);
                })
                .onSuccess(verdict -> end(
                        request, verdict.isPass() ? 200 : 412, new String(verdict.document(), StandardCharsets.UTF_8)))
                .onFailure(e -> fail(request, e));
    }

    private void events(HttpServerRequest request, Optional<String> service) {
        if (request.method().equals(HttpMethod.HEAD)) {
            request.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, EventStreams.TYPE)
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                    .end();
        } else {
            streams.open(request, connections.of(request), service);
        }
    }

    private void change(HttpServerRequest request, List<String> path) {
        if (!path.get(1).equals("services")) {
            throw noSuchPath();
        }
        Future<Long> version;
        if (path.size() == 6 && path.get(3).equals("classes") && path.get(5).equals("override")) {
            allow(request, HttpMethod.POST, HttpMethod.DELETE);
            version = request.method().equals(HttpMethod.POST)
                    ? writes.override(request, path.get(2), path.get(4), access.user(request))
                    : writes.clearOverride(path.get(2), path.get(4));
        } else if (path.size() == 4 && path.get(3).equals("kill")) {
            allow(request, HttpMethod.POST);
            version = writes.killSwitch(request, path.get(2), access.user(request));
        } else {
            throw noSuchPath();
        }
        // The client keeps the status of token holders, also for its reads.
        boolean isHolder = access.hasToken(request);
        version.onSuccess(number -> {
                    if (isHolder) {
                        request.response().addCookie(access.cookie());
                    }
                    end(request, 200, "{\"version\":" + number + "}");
                })
                .onFailure(e -> fail(request, e));
    }

    private static RequestRefusedException noSuchPath() {
        return new RequestRefusedException(404, "not found");
    }

    private void file(HttpServerRequest request, List<String> path) {
        String name = String.join("/", path);
        Optional<PageFiles.PageFile> found =
                path.stream().anyMatch(part -> part.contains("/")) ? Optional.empty() : files.find(name);
        HttpServerResponse response = request.response();
        if (found.isEmpty() && name.equals("favicon.ico")) {
            response.setStatusCode(204).end();
            return;
        }
        PageFiles.PageFile file = found.orElseThrow(ConsoleServer::noSuchPath);
        response.putHeader(HttpHeaders.ETAG, file.etag()).putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        if (hasCopy(request, file.etag())) {
            response.putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                    .setStatusCode(304)
                    .end();
        } else {
            end(request, file.type(), file.content());
        }
    }

    /** Returns whether the client already has this version of a document (RFC 9110, sec. 13.1.2). */
    private static boolean hasCopy(HttpServerRequest request, String etag) {
        return request.headers().getAll(HttpHeaders.IF_NONE_MATCH).stream()
                .flatMap(list -> Arrays.stream(list.split(",")))
                .map(String::strip)
                .anyMatch(tag -> tag.equals("*") || tag.equals(etag) || ("W/" + tag).equals(etag));
    }

    private void json(HttpServerRequest request, Future<Optional<Rendered>> document, String absent) {
        request.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        document.onSuccess(found -> found.ifPresentOrElse(
                        d -> end(request, "application/json", d),
                        () -> fail(request, new RequestRefusedException(404, absent))))
                .onFailure(e -> fail(request, e));
    }

    private static void end(HttpServerRequest request, String type, Rendered body) {
        HttpServerResponse response = request.response();
        MultiMap headers = response.headers();
        headers.set(HttpHeaders.CONTENT_TYPE, type);
        headers.set(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
        boolean zipped = takesGzip(request);
        if (zipped) {
            headers.set(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        Buffer bytes = zipped ? body.gzip() : body.plain();
        if (request.method().equals(HttpMethod.HEAD)) {
            headers.set(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length()));
            response.end();
        } else {
            response.end(bytes);
        }
    }

    static boolean takesGzip(HttpServerRequest request) {
        String accepted = request.getHeader(HttpHeaders.ACCEPT_ENCODING);
        return accepted != null && accepted.matches("(?i).*\\bgzip\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$)).*");
    }

    private static void text(HttpServerRequest request, String text) {
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(text);
    }

    private static void end(HttpServerRequest request, int status, String json) {
        request.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(json);
    }

    private static void fail(HttpServerRequest request, Throwable failure) {
        if (request.response().ended() || request.response().closed()) {
            return;
        }
        int status = 500;
        String message = "failed unexpectedly; the console's log says why";
        if (failure instanceof RequestRefusedException refused) {
            status = refused.status();
            message = refused.getMessage();
        } else {
            LOG.error("{} {} failed", request.method(), request.path(), failure);
        }
        if (status == 401) {
            request.response().putHeader("WWW-Authenticate", "Bearer");
        }
        if (request.decoderResult().isFailure() || status == 400) {
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        end(request, status, "{\"error\":\"" + escaped(message) + "\"}");
    }

    private static String escaped(String text) {
        return String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text));
    }

    @Override
    public void close() {
        http.close();
    }
}
