package io.kipimo.bench.side;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Processor time of all threads of this JVM. */
public final class CpuClock {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private CpuClock() {}

    /** Processor time since the start of the JVM, microseconds. */
    public static long micros() {
        return SYSTEM.getProcessCpuTime() / 1000;
    }
}
