package io.kipimo.balancers.haproxy;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The share of a backend's traffic that one server is given, by the weights of all. The backend
 * must balance by a dynamic algorithm, such as {@code roundrobin} or {@code leastconn}. Not for
 * several threads at once.
 */
public final class HaproxyShare {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int MOST_WEIGHT = 256;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:-]{1,128}");

    private final RuntimeApi api;
    private final String backend;
    private final String server;
    private final Map<String, Integer> first = new LinkedHashMap<>();

    private HaproxyShare(RuntimeApi api, String backend, String server) {
        this.api = api;
        this.backend = backend;
        this.server = server;
    }

    /**
     * Reads the weights that {@link #restore} brings back.
     *
     * @param socket path or HOST:PORT of the Runtime API, level admin
     * @throws IOException if HAProxy does not answer or knows no such backend
     * @throws IllegalArgumentException if a name is none, or the server is not one of several that
     *     are up and have a weight
     */
    public static HaproxyShare open(String socket, String backend, String server)
            throws IOException {
        for (String name : List.of(backend, server)) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "name is '" + name + "'; allowed: " + NAME.pattern());
            }
        }
        HaproxyShare share = new HaproxyShare(new RuntimeApi(socket, TIMEOUT), backend, server);
        List<BackendServer> servers = share.api.servers(backend);
        servers.forEach(s -> share.first.put(s.name(), s.weight()));
        List<String> serving =
                servers.stream()
                        .filter(s -> s.isUp() && s.weight() > 0)
                        .map(BackendServer::name)
                        .toList();
        if (!serving.contains(server) || serving.size() < 2) {
            throw new IllegalArgumentException(
                    "server is '"
                            + server
                            + "' of "
                            + backend
                            + "; allowed: one of two or more that are up and have a weight, which"
                            + " are now "
                            + serving);
        }
        return share;
    }

    /** What the server is given at first, 0..1. */
    public double firstShare() {
        return (double) first.get(server) / first.values().stream().mapToInt(w -> w).sum();
    }

    /**
     * Gives the server a share; the others divide the rest as they did at first.
     *
     * @param wanted more than 0, less than 1
     * @return what weights of whole numbers make of it
     */
    public double set(double wanted) throws IOException {
        int others = first.values().stream().mapToInt(w -> w).sum() - first.get(server);
        Map<String, Double> shares = new LinkedHashMap<>();
        first.forEach(
                (name, weight) ->
                        shares.put(
                                name,
                                name.equals(server) ? wanted : (1 - wanted) * weight / others));
        double largest = shares.values().stream().mapToDouble(s -> s).max().orElseThrow();
        Map<String, Integer> weights = new LinkedHashMap<>();
        shares.forEach(
                (name, share) ->
                        weights.put(
                                name,
                                share == 0
                                        ? 0
                                        : Math.max(
                                                1,
                                                (int) Math.round(MOST_WEIGHT * share / largest))));
        api.weights(backend, weights);
        return (double) weights.get(server) / weights.values().stream().mapToInt(w -> w).sum();
    }

    /** The weights that were there at first. */
    public void restore() throws IOException {
        api.weights(backend, first);
    }

    /** Whether all servers that had traffic at first, but for this one, are up. */
    public boolean restIsUp() throws IOException {
        return api.servers(backend).stream()
                .filter(s -> !s.name().equals(server) && first.getOrDefault(s.name(), 0) > 0)
                .allMatch(BackendServer::isUp);
    }
}
