package io.kipimo.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The open connections, a bounded number. If all are in use, a new connection replaces another one. These are replaced
 * first, in order of precedence: connections without the token, idle ones, those without a stream, those of the address
 * with the most connections, and the oldest. A client with the token loses no exchange: if all others have the token
 * and an exchange, the new connection is closed. Used by the event loop alone.
 */
public final class Connections {
    private static final long SWEEP_MILLIS = 250;
    private static final String LOOPBACK = "loopback";

    private final Limits limits;
    private final Map<HttpConnection, Client> clients = new HashMap<>();
    private final Set<Client> open = new HashSet<>();
    private final int most;
    private long untakenBytes;
    private final LongAdder replacedConnections = new LongAdder();

    Connections(Vertx vertx, Limits limits) {
        this.limits = limits;
        this.most = Math.min(limits.connections(), Descriptors.forPages());
        vertx.setPeriodic(SWEEP_MILLIS, timer -> closeLate());
    }

    /** Adds a connection; replaces another if there are too many. */
    void opened(HttpConnection connection) {
        Client client = new Client(this, address(connection.remoteAddress()));
        ((HttpServerConnection) connection).channelHandlerContext().pipeline().addBefore("handler", "client", client);
        clients.put(connection, client);
        open.add(client);
        if (open.size() > most) {
            replacedConnections.increment();
            first(c -> c != client && !(c.isKnown() && c.inExchange()), Comparator.comparing(Client::inExchange))
                    .orElse(client)
                    .close();
        }
    }

    /** The client of a request, which {@link Client#known} marks once it has shown the token. */
    public Client of(HttpServerRequest request) {
        return clients.get(request.connection());
    }

    /** Limit of open connections: what the limits and the file descriptors of the process allow. */
    public int most() {
        return most;
    }

    /** Open connections. */
    public int size() {
        return open.size();
    }

    /** Connections that were closed because another took their place. */
    public long replaced() {
        return replacedConnections.sum();
    }

    void remove(Client client) {
        if (open.remove(client)) {
            clients.values().remove(client);
            untakenBytes -= client.untakenBytes();
        }
    }

    /**
     * Changes the number of bytes that were written and not yet read by the client. Closes another client if the limit
     * is exceeded even without the client that has the most bytes. So a single response may be of any size.
     */
    void untaken(Client client, long bytes) {
        if (!open.contains(client)) {
            // Its bytes are already subtracted; writes in progress fail one by one.
            return;
        }
        untakenBytes += bytes;
        if (bytes > 0 && untakenBytes > limits.untakenBytes()) {
            long largest = open.stream().mapToLong(Client::untakenBytes).max().orElse(0);
            if (untakenBytes - largest > limits.untakenBytes()) {
                first(c -> c != client && c.untakenBytes() > 0, Comparator.comparing(c -> -c.untakenBytes()))
                        .ifPresent(Client::close);
            }
        }
    }

    private void closeLate() {
        long now = System.nanoTime();
        for (Client client : Set.copyOf(open)) {
            if (client.isLate(limits, now)) {
                client.close();
            }
        }
    }

    /**
     * The candidate to close first.
     *
     * @param next compares candidates that both have the token, or both lack it
     */
    private Optional<Client> first(Predicate<Client> candidates, Comparator<Client> next) {
        Map<String, Long> byAddress =
                open.stream().collect(Collectors.groupingBy(Client::address, Collectors.counting()));
        return open.stream()
                .filter(candidates)
                .min(Comparator.comparing(Client::isKnown)
                        .thenComparing(next)
                        .thenComparing(Client::isStream)
                        .thenComparing(c -> -byAddress.get(c.address()))
                        .thenComparing(Client::sinceNanos));
    }

    private static String address(SocketAddress remote) {
        String host = remote.hostAddress();
        if (host == null) {
            return LOOPBACK;
        }
        try {
            return InetAddress.getByName(host).isLoopbackAddress() ? LOOPBACK : host;
        } catch (UnknownHostException e) {
            return host;
        }
    }
}
