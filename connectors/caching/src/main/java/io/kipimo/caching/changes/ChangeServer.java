package io.kipimo.caching.changes;

import io.kipimo.core.invalidation.frontier.ChangeHistory;
import io.kipimo.core.invalidation.frontier.ResumeToken;
import io.kipimo.http.BearerToken;
import io.kipimo.http.Cors;
import io.kipimo.http.Limits;
import io.kipimo.http.PageServer;
import io.kipimo.http.Reply;
import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.sdk.internal.exposition.Exposition;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves changes of keys to browsers.
 *
 * <pre>
 * GET /changes?key=SERVICE/TABLE/KEY&amp;key=...   text/event-stream
 * </pre>
 *
 * <p>There are three events: {@code ready} when a stream begins, {@code change} with a notification as JSON, and
 * {@code reload} if changes may be missing. Each event has an id. A client that reconnects with its last id
 * ({@code Last-Event-ID}), to this server or another, misses no change, but may see some again. Between events the
 * server sends ids alone, so that the ids of clients do not grow old. A client that does not read for some time is
 * disconnected ({@link Limits}), and can come back with its id.
 */
public final class ChangeServer implements AutoCloseable {

    /**
     * Settings of a {@link ChangeServer}.
     *
     * @param streams greatest number of open streams, 1..100,000; it is lower if the process may open too few files
     * @param history greatest number of notifications that are kept for clients that come back, 1..10,000,000
     * @param heartbeatMillis greatest time between two events of a stream, 100..3,600,000
     * @param origins origins of pages that may read the streams, besides the server's own, in the form of {@link Cors}
     * @param token token that clients must send, in the header Authorization or in the address; empty: they need none
     */
    public record Serving(
            int streams, int history, long heartbeatMillis, Set<String> origins, Optional<BearerToken> token) {
        public static final Serving DEFAULT = new Serving(1_000, 10_000, 15_000, Set.of(), Optional.empty());

        /** @throws IllegalArgumentException if a value is out of range */
        public Serving {
            check("streams", streams, 1, 100_000);
            check("history", history, 1, 10_000_000);
            check("heartbeat", heartbeatMillis, 100, 3_600_000);
            origins = new Cors(origins, List.of(), List.of()).origins();
        }

        Cors cors() {
            return new Cors(origins, List.of("Authorization", "Last-Event-ID"), List.of());
        }

        private static void check(String name, long value, long least, long most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(name + " is " + value + "; allowed: " + least + ".." + most);
            }
        }
    }

    public static final String PATH = "/changes";

    /** Greatest number of keys of one stream; the length of the request line bounds them, too. */
    static final int MOST_KEYS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(ChangeServer.class);
    private static final String TYPE = "text/event-stream";
    private static final int RETRY_MILLIS = 2_000;

    private final Serving settings;
    private final PageServer server;
    private final int mostStreams;
    private final LongAdder sent = new LongAdder();
    private final LongAdder reloads = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder strangers = new LongAdder();
    private final LongAdder slow = new LongAdder();
    private final AtomicInteger openStreams = new AtomicInteger();

    // Of the event loop.
    private final Map<String, Set<ChangeStream>> streamsByKey = new HashMap<>();
    private final Set<ChangeStream> streams = new LinkedHashSet<>();
    private ChangeHistory history;

    private ChangeServer(Serving settings, Duration untaken) {
        this.settings = settings;
        Limits limits = Limits.DEFAULT;
        server = new PageServer(new Limits(
                        settings.streams() + limits.connections(),
                        settings.streams(),
                        limits.untakenBytes(),
                        limits.input(),
                        untaken,
                        limits.exchange()))
                .handler(PATH, this::open)
                .cors(PATH, settings.cors())
                .page("/metrics", request -> Reply.of(Exposition.CONTENT_TYPE, metrics()));
        // Those that find no room need a connection to be told.
        int most = server.connections().most();
        mostStreams = Math.max(1, Math.min(settings.streams(), most - Math.min(limits.connections(), most / 4)));
        if (mostStreams < settings.streams()) {
            LOG.warn(
                    "{} streams at most, not {}: the process may open too few files (ulimit -n)",
                    mostStreams,
                    settings.streams());
        }
    }

    /**
     * Starts a server; it accepts requests when this returns, and answers them with 503 until {@link #restart}.
     *
     * @param port 0: any free port
     * @throws IOException if the port cannot be opened
     */
    public static ChangeServer start(Serving settings, String host, int port) throws IOException, InterruptedException {
        return start(settings, Limits.DEFAULT.untaken(), host, port);
    }

    /**
     * Starts a server with a given time limit for clients that do not read.
     *
     * @param untaken longest time that a client may take to read what was written
     */
    static ChangeServer start(Serving settings, Duration untaken, String host, int port)
            throws IOException, InterruptedException {
        ChangeServer changes = new ChangeServer(settings, untaken);
        changes.server.listen(host, port);
        changes.server.vertx().setPeriodic(settings.heartbeatMillis(), timer -> changes.heartbeat());
        return changes;
    }

    public int port() {
        return server.port();
    }

    /**
     * Begins anew: notifications follow from {@code start} on, and earlier ones may be missing. Clients are told to
     * reload. Any thread may call this.
     */
    public void restart(ResumeToken start) {
        restart(start, List.of(), start);
    }

    /**
     * Begins anew with notifications that are already known, so that a client that comes back learns at once which of
     * them it has missed. Clients with open streams are told to reload. Any thread may call this.
     *
     * @param newest notifications since {@code start}; those of a partition are in order
     * @param after the reader's token after {@code newest}
     */
    public void restart(ResumeToken start, List<Invalidation> newest, ResumeToken after) {
        server.vertx().runOnContext(begin -> {
            history = new ChangeHistory(settings.history(), start);
            history.add(newest, after);
            Set.copyOf(streams).forEach(ChangeStream::reload);
        });
    }

    /**
     * Sends notifications to the clients that want them. Only one thread at a time may call this.
     *
     * @param after the reader's token after {@code changes}
     */
    public void publish(List<Invalidation> changes, ResumeToken after) {
        server.vertx().runOnContext(turn -> {
            history.add(changes, after);
            Map<ChangeStream, List<Invalidation>> wanted = new HashMap<>();
            for (Invalidation change : changes) {
                streamsByKey.getOrDefault(scope(change), Set.of()).forEach(stream -> wanted.computeIfAbsent(
                                stream, s -> new ArrayList<>())
                        .add(change));
            }
            wanted.forEach(ChangeStream::publish);
        });
    }

    private static String scope(Invalidation change) {
        return CachedScope.of(change.service(), change.table(), change.key());
    }

    private void heartbeat() {
        if (history != null) {
            String id = "id: " + history.end().text() + "\n\n";
            Set.copyOf(streams).forEach(stream -> stream.beat(id));
        }
    }

    private void open(HttpServerRequest request) {
        Map<String, String> headers = new HashMap<>();
        if (settings.token().isPresent() && !hasToken(settings.token().get(), request)) {
            strangers.increment();
            headers.put("WWW-Authenticate", "Bearer");
            refuse(
                    request,
                    401,
                    headers,
                    "needs the header Authorization: Bearer TOKEN, or token=TOKEN in the address");
            return;
        }
        if (settings.token().isPresent()) {
            server.connections().of(request).known();
        }
        Set<String> keys = new HashSet<>(request.params().getAll("key"));
        if (keys.isEmpty() || keys.size() > MOST_KEYS || keys.stream().anyMatch(k -> !isScope(k))) {
            refuse(request, 400, headers, "key: allowed: 1 to " + MOST_KEYS + " of the form SERVICE/TABLE/KEY");
            return;
        }
        if (history == null || streams.size() >= mostStreams) {
            refused.increment();
            headers.put("Retry-After", "2");
            refuse(
                    request,
                    503,
                    headers,
                    history == null ? "no notifications yet" : "too many streams; allowed: " + mostStreams);
            return;
        }
        HttpServerResponse response = request.response().setChunked(true);
        response.putHeader(HttpHeaders.CONTENT_TYPE, TYPE)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader("X-Accel-Buffering", "no");
        server.connections().of(request).streams();
        ChangeStream stream = new ChangeStream(response, keys);
        streams.add(stream);
        openStreams.set(streams.size());
        keys.forEach(key ->
                streamsByKey.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(stream));
        response.closeHandler(closed -> remove(stream));
        response.exceptionHandler(failed -> remove(stream));
        stream.write("retry: " + RETRY_MILLIS + "\n\n");
        String last = Optional.ofNullable(request.getHeader("Last-Event-ID"))
                .or(() -> Optional.ofNullable(request.getParam("lastEventId")))
                .orElse("");
        Optional<ResumeToken> token = token(last);
        if (token.isPresent()) {
            stream.catchUp(token.get());
        } else if (last.isEmpty()) {
            stream.event("ready");
        } else {
            stream.reload();
        }
    }

    /**
     * Returns whether a request has the token, in a header or in the address: EventSource in browsers sends no header.
     */
    private static boolean hasToken(BearerToken token, HttpServerRequest request) {
        String given = request.getParam("token");
        return token.isIn(request) || (given != null && token.is(given));
    }

    private static boolean isScope(String key) {
        return key.split("/", 3).length == 3;
    }

    private static Optional<ResumeToken> token(String text) {
        try {
            return Optional.of(ResumeToken.parse(text));
        } catch (IllegalArgumentException e) {
            LOG.debug("unknown event id", e);
            return Optional.empty();
        }
    }

    private static void refuse(HttpServerRequest request, int status, Map<String, String> headers, String why) {
        headers.put("Content-Type", "text/plain; charset=utf-8");
        PageServer.send(request, new Reply(status, headers, (why + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    private void remove(ChangeStream stream) {
        if (streams.remove(stream)) {
            if (stream.isBehind) {
                slow.increment();
            }
            openStreams.set(streams.size());
            for (String key : stream.keys) {
                streamsByKey.computeIfPresent(key, (k, all) -> {
                    all.remove(stream);
                    return all.isEmpty() ? null : all;
                });
            }
        }
    }

    String metrics() {
        Exposition page = new Exposition();
        Map.of(
                        "change", sent.sum(),
                        "reload", reloads.sum())
                .forEach((event, count) ->
                        page.counter("kipimo_changes_events_total", "Events of all streams.", count, "event", event));
        return page.counter("kipimo_changes_refused_total", "Streams that found no room.", refused.sum())
                .counter("kipimo_changes_unauthorized_total", "Requests without the token.", strangers.sum())
                .counter("kipimo_changes_slow_total", "Streams that ended while their client did not read.", slow.sum())
                .gauge("kipimo_changes_streams", "Open streams.", openStreams.get())
                .toString();
    }

    /**
     * The stream of one client. While the client does not read, nothing is queued for it: later it gets what it has
     * missed from the history.
     */
    private final class ChangeStream {
        final HttpServerResponse response;
        final Set<String> keys;
        private ResumeToken sentUpTo;
        private boolean isBehind;

        ChangeStream(HttpServerResponse response, Set<String> keys) {
            this.response = response;
            this.keys = keys;
        }

        void publish(List<Invalidation> changes) {
            if (!isBehind) {
                send(changes);
            }
        }

        void beat(String id) {
            if (!isBehind) {
                write(id);
            }
        }

        void catchUp(ResumeToken from) {
            Optional<List<Invalidation>> missed = history.after(from);
            if (missed.isPresent()) {
                send(missed.get().stream().filter(c -> keys.contains(scope(c))).toList());
                event("ready");
            } else {
                reload();
            }
        }

        /**
         * Sends changes, and one id after the last of them. So a client that reconnects before it has this id gets all
         * of them again.
         */
        private void send(List<Invalidation> changes) {
            if (changes.isEmpty()) {
                return;
            }
            StringBuilder text = new StringBuilder();
            for (Invalidation change : changes) {
                text.append("event: change\ndata: ").append(json(change)).append("\n\n");
            }
            sent.add(changes.size());
            write(text.append("id: ")
                    .append(history.end().text())
                    .append("\n\n")
                    .toString());
        }

        void reload() {
            reloads.increment();
            event("reload");
        }

        void event(String name) {
            write("event: " + name + "\nid: " + history.end().text() + "\ndata: {}\n\n");
        }

        void write(String text) {
            if (response.ended() || response.closed()) {
                return;
            }
            var unused = response.write(text);
            sentUpTo = history.end();
            if (response.writeQueueFull() && !isBehind) {
                isBehind = true;
                response.drainHandler(drained -> {
                    isBehind = false;
                    catchUp(sentUpTo);
                });
            }
        }
    }

    private static String json(Invalidation change) {
        return new JsonObject()
                .put("service", change.service())
                .put("table", change.table())
                .put("key", change.key())
                .put("kind", change.kind().name())
                .put("change", change.change().name())
                .put("record", change.record())
                // Versions exceed what JavaScript's numbers hold.
                .put("version", String.valueOf(change.version()))
                .put("writtenMillis", change.writtenMillis())
                .put("retryAfterMillis", change.retryAfterMillis())
                .encode();
    }

    @Override
    public void close() {
        server.close();
    }
}
