package io.kipimo.embedded.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Unused TCP ports of the loopback address, for servers whose address must be known before they start. All other
 * servers listen on port 0.
 *
 * <p>The ports are below the system's range for outgoing connections, which could otherwise take a port before its
 * server does. A port is reused only after all others were given.
 */
public final class FreePorts {
    private static final int FIRST = 15_000;
    private static final int COUNT = 17_000;

    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private FreePorts() {}

    public static int one() {
        return distinct(1)[0];
    }

    /** @throws IllegalStateException if too few ports are free */
    public static int[] distinct(int count) {
        List<Integer> ports = new ArrayList<>();
        for (int tried = 0; ports.size() < count; tried++) {
            if (tried == COUNT) {
                throw new IllegalStateException(
                        "free ports from " + FIRST + " on are " + ports.size() + " of " + count);
            }
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            if (isFree(port)) {
                ports.add(port);
            }
        }
        return ports.stream().mapToInt(Integer::intValue).toArray();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
