package io.kipimo.console.server;

import io.kipimo.http.BearerToken;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * The address on which the console listens, and the means by which clients prove who they are. On a loopback address
 * everyone on the machine may read; elsewhere, and behind a proxy, reading needs the token or a login by the proxy.
 * Changes always need the token or a login.
 *
 * @param host name or address of this machine
 * @param port 0: any free port
 * @param token of a {@link BearerToken}; empty: there is none
 * @param publicUrl address of a proxy in front, usually for TLS; empty: none
 * @param login how a proxy names users; empty: only the token counts
 */
public record ServerSettings(
        String host, int port, Optional<String> token, Optional<URI> publicUrl, Optional<ProxyLogin> login) {
    public static final String LOOPBACK = "127.0.0.1";

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if a setting is not allowed; names it, its value and what is allowed
     */
    public ServerSettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port is " + port + "; allowed: 0..65535");
        }
        token.ifPresent(BearerToken::new);
        publicUrl.ifPresent(ServerSettings::check);
        if (token.isEmpty() && login.isEmpty() && !isLoopback(host)) {
            throw new IllegalArgumentException(
                    "host is '" + host + "' and there is no token; allowed: a loopback address, or a token");
        }
        if (token.isEmpty() && login.isEmpty() && publicUrl.isPresent()) {
            throw new IllegalArgumentException(
                    "public URL is '" + publicUrl.get() + "' and there is no token; allowed: none, or a token");
        }
    }

    /** Settings without a login by a proxy. */
    public ServerSettings(String host, int port, Optional<String> token, Optional<URI> publicUrl) {
        this(host, port, token, publicUrl, Optional.empty());
    }

    /** Settings without a proxy. */
    public ServerSettings(String host, int port, Optional<String> token) {
        this(host, port, token, Optional.empty(), Optional.empty());
    }

    /** Returns whether the settings allow changes at all. */
    public boolean isWritable() {
        return token.isPresent() || login.isPresent();
    }

    private static void check(URI url) {
        boolean web = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
        boolean root = url.getRawPath() == null || url.getRawPath().matches("/?");
        if (!web
                || url.getHost() == null
                || !root
                || url.getRawUserInfo() != null
                || url.getRawQuery() != null
                || url.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "public URL is '" + url + "'; allowed: https://NAME or https://NAME:PORT");
        }
    }

    boolean isLoopback() {
        return isLoopback(host);
    }

    /**
     * Returns whether reading needs the token or a login. Behind a proxy it does even on a loopback address, since all
     * requests come from the proxy's address.
     */
    boolean isTokenToLook() {
        return !isLoopback() || publicUrl.isPresent() || login.isPresent();
    }

    /** Returns whether browsers connect over TLS. */
    boolean isSecure() {
        return publicUrl.filter(url -> url.getScheme().equals("https")).isPresent();
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("host is '" + host + "'; allowed: a name or address of this machine", e);
        }
    }

    /** Describes the settings without the text of the token. */
    @Override
    public String toString() {
        return "ServerSettings[" + host + ":" + port + (token.isPresent() ? ", token]" : "]");
    }
}
