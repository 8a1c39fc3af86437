package io.kipimo.gateway.http;

import io.vertx.core.MultiMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Selects the headers to forward. Headers that concern a single connection are dropped (RFC 9110, sec. 7.6.1): a fixed
 * set, and those that {@code Connection} names, except a few that are never dropped. {@code Transfer-Encoding} is in
 * the set: the gateway frames the body anew on each connection, so sender and receiver agree where it ends.
 */
public final class ForwardedHeaders {
    private static final Set<String> OF_CONNECTION = Set.of(
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authorization",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings");

    /** Headers that stay even if {@code Connection} names them. */
    private static final Set<String> NEVER_DROPPED =
            Set.of("host", "content-length", "content-type", "cache-control", "authorization");

    private ForwardedHeaders() {}

    /** Copies the headers that are forwarded, including {@code Content-Length}. */
    public static void copy(MultiMap from, MultiMap to) {
        Set<String> named = named(from);
        for (Map.Entry<String, String> header : from) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!name.startsWith(":") && !OF_CONNECTION.contains(name) && !named.contains(name)) {
                to.add(header.getKey(), header.getValue());
            }
        }
    }

    private static Set<String> named(MultiMap headers) {
        if (!headers.contains("connection")) {
            return Set.of();
        }
        Set<String> named = new HashSet<>();
        for (String value : headers.getAll("connection")) {
            for (String name : value.split(",", -1)) {
                String lower = name.strip().toLowerCase(Locale.ROOT);
                if (!NEVER_DROPPED.contains(lower)) {
                    named.add(lower);
                }
            }
        }
        return named;
    }

    /**
     * Adds the caller's address and the entry of this proxy.
     *
     * @param client address of the caller
     * @param version HTTP version of the caller, such as 1.1
     */
    public static void addOrigin(MultiMap headers, String client, String scheme, String host, String version) {
        append(headers, "X-Forwarded-For", client);
        if (!headers.contains("X-Forwarded-Proto")) {
            headers.set("X-Forwarded-Proto", scheme);
        }
        if (host != null && !headers.contains("X-Forwarded-Host")) {
            headers.set("X-Forwarded-Host", host);
        }
        append(headers, "Via", version + " kipimo");
    }

    private static void append(MultiMap headers, String name, String value) {
        String before = String.join(", ", headers.getAll(name));
        headers.set(name, before.isEmpty() ? value : before + ", " + value);
    }
}
