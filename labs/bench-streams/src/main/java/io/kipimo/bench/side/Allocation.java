package io.kipimo.bench.side;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** Counts the bytes that this JVM allocates on its heap from {@link #start} on. */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Map<Long, Long> before = byThread();

    private Allocation() {}

    public static Allocation start() {
        return new Allocation();
    }

    /** Number of bytes so far, allocated by threads that are still alive. */
    public long bytes() {
        return byThread().entrySet().stream()
                .mapToLong(now -> now.getValue() - before.getOrDefault(now.getKey(), 0L))
                .sum();
    }

    private static Map<Long, Long> byThread() {
        long[] threads = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(threads);
        Map<Long, Long> all = new HashMap<>();
        for (int i = 0; i < threads.length; i++) {
            // It is -1 for a thread that has ended meanwhile.
            if (bytes[i] >= 0) {
                all.put(threads[i], bytes[i]);
            }
        }
        return all;
    }
}
