package io.kipimo.loadgen.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Checks that something listens at a target's address. */
public final class Probe {
    private Probe() {}

    /**
     * Connects, and disconnects.
     *
     * @throws UncheckedIOException if nothing answers at the address
     */
    public static void connect(String host, int port, int timeOutMillis) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), timeOutMillis);
        } catch (IOException e) {
            throw new UncheckedIOException(host + ":" + port + " does not answer: " + e.getMessage(), e);
        }
    }
}
