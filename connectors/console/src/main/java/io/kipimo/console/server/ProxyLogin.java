package io.kipimo.console.server;

import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Login by a proxy that names the user in a header. The header counts only in requests from the proxies' addresses.
 *
 * @param header name, such as {@code X-Forwarded-User}
 * @param isProxy whether an address, given as digits, is that of a proxy
 */
public record ProxyLogin(String header, Predicate<String> isProxy) {
    /** Headers that cannot carry the user, because they have another meaning. */
    private static final Set<String> TAKEN = Set.of(
            "accept",
            "accept-encoding",
            "authorization",
            "connection",
            "content-length",
            "content-type",
            "cookie",
            "expect",
            "forwarded",
            "host",
            "origin",
            "sec-fetch-site",
            "transfer-encoding",
            "user-agent");

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if a setting is not allowed; names it, its value and what is allowed
     */
    public ProxyLogin {
        if (!header.matches("[A-Za-z][A-Za-z0-9-]{0,63}") || TAKEN.contains(header.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    ("login header is '%s'; allowed: the name of a header that only the proxy sets, such "
                                    + "as X-Forwarded-User")
                            .formatted(header));
        }
    }
}
