package io.kipimo.harness.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** TCP ports of the loopback address that nobody listens on now. */
public final class FreePorts {
    private FreePorts() {}

    public static int one() {
        return distinct(1)[0];
    }

    public static int[] distinct(int count) {
        List<ServerSocket> held = new ArrayList<>();
        int[] ports = new int[count];
        try {
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                held.add(socket);
                ports[i] = socket.getLocalPort();
            }
            for (ServerSocket socket : held) {
                socket.close();
            }
            return ports;
        } catch (IOException e) {
            throw new UncheckedIOException("no free port", e);
        }
    }
}
