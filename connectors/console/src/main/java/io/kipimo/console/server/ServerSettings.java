package io.kipimo.console.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Where the console listens and who may do what. On a loopback address everybody on the machine may
 * look; elsewhere looking takes the token too. Changing anything always takes it.
 *
 * @param host a name or an address of this machine
 * @param port 0: any that is free
 * @param token at least {@value #SHORTEST_TOKEN} characters; empty: nothing can be changed
 */
public record ServerSettings(String host, int port, Optional<String> token) {
    public static final String LOOPBACK = "127.0.0.1";
    public static final int SHORTEST_TOKEN = 16;

    /**
     * @throws IllegalArgumentException that names key, value and what is allowed
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
        if (token.isEmpty() && !isLoopback(host)) {
            throw new IllegalArgumentException(
                    "host is '"
                            + host
                            + "' and there is no token; allowed: a loopback address, or a token");
        }
    }

    boolean isLoopback() {
        return isLoopback(host);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "host is '" + host + "'; allowed: a name or address of this machine", e);
        }
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "ServerSettings[" + host + ":" + port + (token.isPresent() ? ", token]" : "]");
    }
}
