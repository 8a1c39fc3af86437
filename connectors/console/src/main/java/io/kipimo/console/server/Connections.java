package io.kipimo.console.server;

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
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The open connections, a bounded number. Nobody is refused a place because others hold them all:
 * the newcomer has the place of one that nobody has shown the token on, of an address that has the
 * most, idle ones before busy ones, the oldest first. So who has shown the token makes room only
 * for others who have. Used by the event loop alone.
 */
final class Connections {
    private static final long SWEEP_MILLIS = 250;
    private static final String LOOPBACK = "loopback";

    private final Limits limits;
    private final Map<HttpConnection, Client> clients = new HashMap<>();
    private final Set<Client> open = new HashSet<>();
    private long untakenBytes;

    Connections(Vertx vertx, Limits limits) {
        this.limits = limits;
        vertx.setPeriodic(SWEEP_MILLIS, timer -> closeLate());
    }

    /** Takes it among the open ones, in the place of another if there are too many. */
    void opened(HttpConnection connection) {
        Client client = new Client(this, address(connection.remoteAddress()));
        ((HttpServerConnection) connection)
                .channelHandlerContext()
                .pipeline()
                .addBefore("handler", "client", client);
        clients.put(connection, client);
        open.add(client);
        if (open.size() > limits.connections()) {
            first(c -> c != client, Comparator.comparing(Client::inExchange)).close();
        }
    }

    /** Those who show the token keep their places. */
    Client of(HttpServerRequest request) {
        return clients.get(request.connection());
    }

    int size() {
        return open.size();
    }

    void remove(Client client) {
        if (open.remove(client)) {
            clients.values().remove(client);
        }
    }

    /**
     * That many bytes more, or less, were written to it and not taken. One answer may be as large
     * as it is.
     */
    void untaken(Client client, long bytes) {
        untakenBytes += bytes;
        if (bytes > 0 && untakenBytes > limits.untakenBytes()) {
            long largest = open.stream().mapToLong(Client::untakenBytes).max().orElse(0);
            if (untakenBytes - largest > limits.untakenBytes()) {
                first(
                                c -> c != client && c.untakenBytes() > 0,
                                Comparator.comparing(c -> -c.untakenBytes()))
                        .close();
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

    /** Who makes room. */
    private Client first(Predicate<Client> candidates, Comparator<Client> next) {
        Map<String, Long> byAddress =
                open.stream()
                        .collect(Collectors.groupingBy(Client::address, Collectors.counting()));
        return open.stream()
                .filter(candidates)
                .min(
                        Comparator.comparing(Client::isKnown)
                                .thenComparing(next)
                                .thenComparing(c -> -byAddress.get(c.address()))
                                .thenComparing(Client::sinceNanos))
                .orElseThrow();
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
