package io.kipimo.harness.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * TCP ports of the loopback address that nobody listens on now, for servers whose address must be
 * known before they start; all others listen at port 0.
 *
 * <p>They lie below those that the system gives to outgoing connections, one of which could take a
 * port before its server does; and none is given twice before all others were.
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

    /**
     * @throws IllegalStateException if there are not so many
     */
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
