package io.kipimo.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * File descriptors of this process. Callers of a proxy get 40 %, since each may need a connection to a server too, and
 * clients of pages 5 %. The rest is for files, Kafka and Redis.
 */
public final class Descriptors {
    private Descriptors() {}

    /** Limit of connections of callers, of all addresses together. */
    public static int forCallers() {
        return share(40);
    }

    /** Limit of connections to a server of pages. */
    static int forPages() {
        return share(5);
    }

    private static int share(int percent) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
                ? (int) Math.min(Integer.MAX_VALUE, os.getMaxFileDescriptorCount() / 100 * percent)
                : Integer.MAX_VALUE;
    }
}
