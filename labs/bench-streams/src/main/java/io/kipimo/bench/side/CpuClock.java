package io.kipimo.bench.side;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Processor time of this JVM, all threads. */
public final class CpuClock {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private CpuClock() {}

    /** Since the start of the JVM, microseconds. */
    public static long micros() {
        return SYSTEM.getProcessCpuTime() / 1000;
    }
}
