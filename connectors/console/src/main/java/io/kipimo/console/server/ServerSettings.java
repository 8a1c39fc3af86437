package io.kipimo.console.server;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Where the console listens, and who may do what. On a loopback address everyone on the machine may
 * read; elsewhere, and behind a proxy, reading needs the token. Changes always need it.
 *
 * @param host name or address of this machine
 * @param port 0: any free port
 * @param token at least {@value #SHORTEST_TOKEN} characters; empty: nothing can be changed
 * @param publicUrl address of a proxy in front, usually for TLS; empty: none
 */
public record ServerSettings(
        String host, int port, Optional<String> token, Optional<URI> publicUrl) {
    public static final String LOOPBACK = "127.0.0.1";
    public static final int SHORTEST_TOKEN = 16;

    /**
     * @throws IllegalArgumentException if a setting is not allowed; names it, its value and what is
     *     allowed
     */
    public ServerSettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port is " + port + "; allowed: 0..65535");
        }
        if (token.isPresent() && !token.get().matches("[!-~]{" + SHORTEST_TOKEN + ",512}")) {
            throw new IllegalArgumentException(
                    "token is not shown here; allowed: "
                            + SHORTEST_TOKEN
                            + "..512 characters, ASCII, no blanks");
        }
        publicUrl.ifPresent(ServerSettings::check);
        if (token.isEmpty() && !isLoopback(host)) {
            throw new IllegalArgumentException(
                    "host is '"
                            + host
                            + "' and there is no token; allowed: a loopback address, or a token");
        }
        if (token.isEmpty() && publicUrl.isPresent()) {
            throw new IllegalArgumentException(
                    "public URL is '"
                            + publicUrl.get()
                            + "' and there is no token; allowed: none, or a token");
        }
    }

    /** Settings without a proxy. */
    public ServerSettings(String host, int port, Optional<String> token) {
        this(host, port, token, Optional.empty());
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
     * Whether reading needs the token. Behind a proxy it does, since all requests come from the
     * proxy's address.
     */
    boolean isTokenToLook() {
        return !isLoopback() || publicUrl.isPresent();
    }

    /** Whether browsers connect over TLS. */
    boolean isSecure() {
        return publicUrl.filter(url -> url.getScheme().equals("https")).isPresent();
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "host is '" + host + "'; allowed: a name or address of this machine", e);
        }
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "ServerSettings[" + host + ":" + port + (token.isPresent() ? ", token]" : "]");
    }
}
