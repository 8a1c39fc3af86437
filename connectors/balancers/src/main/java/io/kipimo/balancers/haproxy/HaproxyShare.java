package io.kipimo.balancers.haproxy;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Sets the share of a backend's traffic that one server gets, by the weights of all servers. The backend must balance
 * by a dynamic algorithm, such as {@code roundrobin} or {@code leastconn}. Not thread-safe.
 */
public final class HaproxyShare {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int MOST_WEIGHT = 256;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:-]{1,128}");

    private final RuntimeApi api;
    private final String backend;
    private final String server;

    /** Weights of the servers that had traffic; those in maintenance have weights, too, and get none. */
    private final Map<String, Integer> first = new LinkedHashMap<>();

    private HaproxyShare(RuntimeApi api, String backend, String server) {
        this.api = api;
        this.backend = backend;
        this.server = server;
    }

    /**
     * Reads the weights that {@link #restore} sets again.
     *
     * @param socket path or HOST:PORT of the Runtime API, level admin
     * @throws IOException if HAProxy does not answer or has no such backend
     * @throws IllegalArgumentException if a name is malformed, or the server is not one of at least two that are up and
     *     have a weight
     */
    public static HaproxyShare open(String socket, String backend, String server) throws IOException {
        for (String name : List.of(backend, server)) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("name is '" + name + "'; allowed: " + NAME.pattern());
            }
        }
        HaproxyShare share = new HaproxyShare(new RuntimeApi(socket, TIMEOUT), backend, server);
        share.api.servers(backend).stream()
                .filter(HaproxyShare::hasTraffic)
                .forEach(s -> share.first.put(s.name(), s.weight()));
        Set<String> serving = share.first.keySet();
        if (!serving.contains(server) || serving.size() < 2) {
            throw new IllegalArgumentException(
                    ("server is '%s' of %s; allowed: one of two or more that are up and have a weight, "
                                    + "which are now %s")
                            .formatted(server, backend, serving));
        }
        return share;
    }

    private static boolean hasTraffic(BackendServer server) {
        return server.isUp() && server.weight() > 0;
    }

    /** The server's initial share, 0..1. */
    public double firstShare() {
        return (double) first.get(server)
                / first.values().stream().mapToInt(w -> w).sum();
    }

    /**
     * Sets the server's share; the others divide the rest in their initial proportions.
     *
     * @param wanted wanted share, above 0 and below 1
     * @return the share that results from integer weights
     */
    public double set(double wanted) throws IOException {
        int others = first.values().stream().mapToInt(w -> w).sum() - first.get(server);
        Map<String, Double> shares = new LinkedHashMap<>();
        first.forEach(
                (name, weight) -> shares.put(name, name.equals(server) ? wanted : (1 - wanted) * weight / others));
        double largest = shares.values().stream().mapToDouble(s -> s).max().orElseThrow();
        Map<String, Integer> weights = new LinkedHashMap<>();
        shares.forEach((name, share) ->
                weights.put(name, share == 0 ? 0 : Math.max(1, (int) Math.round(MOST_WEIGHT * share / largest))));
        api.weights(backend, weights);
        return (double) weights.get(server)
                / weights.values().stream().mapToInt(w -> w).sum();
    }

    /** Restores the initial weights. */
    public void restore() throws IOException {
        api.weights(backend, first);
    }

    /** Whether, beside this server, the servers that had traffic initially have it now, and no others. */
    public boolean restIsUp() throws IOException {
        Set<String> rest = new HashSet<>(first.keySet());
        rest.remove(server);
        return api.servers(backend).stream()
                .filter(s -> hasTraffic(s) && !s.name().equals(server))
                .map(BackendServer::name)
                .collect(Collectors.toSet())
                .equals(rest);
    }
}
