package io.kipimo.loadgen.generator;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Detects that the generator limits the load instead of the target (sec. 9, figure 11): it used up its processors, it
 * did not send all due requests, or its users had to wait for it.
 */
final class SelfWatch {
    /** Greatest share of the machine's processors that the generator may use. */
    private static final double MOST_CPU = 0.9;

    /** Lowest share of due requests that must be sent. */
    private static final double LEAST_SENT = 0.98;

    /** Greatest number of late requests that is no evidence yet. */
    private static final long FEW = 3;

    /**
     * Greatest share of a user's time that the generator may take. By this share a closed load may be lower than
     * requested.
     */
    private static final double MOST_WAITING = 0.1;

    /** Greatest share of the requests that may fail because of late sending without being a bottleneck. */
    private static final double MOST_LATE_ERRORS = 0.001;

    private final long startNanos = System.nanoTime();
    private final long startCpuNanos = cpuNanos();

    /** Processor share since this object was made, 0..1; 0 if unknown. */
    double ownCpu() {
        long nanos = System.nanoTime() - startNanos;
        double processors = Runtime.getRuntime().availableProcessors();
        return nanos <= 0 ? 0 : Math.max(0, Math.min(1, (cpuNanos() - startCpuNanos) / (nanos * processors)));
    }

    /**
     * The reason why an open load is lower than requested; empty if it is not.
     *
     * @param sent due requests that were sent before the end
     * @param unsent due requests that were not sent, even a little after the end
     * @param late requests that left the generator late, in a burst that the load does not contain
     * @param lateErrors number of {@code errors} whose requests left late
     */
    static String ofOpen(long due, long sent, long unsent, long late, long lateErrors, long errors, double ownCpu) {
        if (unsent > 0 || sent + FEW < LEAST_SENT * due) {
            return String.format(Locale.ROOT, "sent %,d of %,d requests that were due", sent, due);
        }
        // Requests that left in time show how many fail by the target alone.
        double failing = due > late ? (double) (errors - lateErrors) / (due - late) : 0;
        double caused = lateErrors - failing * late;
        if (2 * caused > errors && caused > MOST_LATE_ERRORS * due) {
            return String.format(Locale.ROOT, "%,d of %,d errors followed late sending", lateErrors, errors);
        }
        return cpu(ownCpu);
    }

    /**
     * The reason why a closed load is lower than requested; empty if it is not.
     *
     * @param waitingMicros time in the generator, sum over all requests
     * @param cycleMicros time of users for requests without thinking, sum over all requests
     */
    static String ofClosed(double waitingMicros, double cycleMicros, double ownCpu) {
        if (waitingMicros > MOST_WAITING * cycleMicros) {
            return String.format(
                    Locale.ROOT,
                    "users waited %.0f %% of their time for the generator",
                    100 * waitingMicros / cycleMicros);
        }
        return cpu(ownCpu);
    }

    private static String cpu(double ownCpu) {
        return ownCpu > MOST_CPU
                ? String.format(Locale.ROOT, "used %.0f %% of this machine's processors", 100 * ownCpu)
                : "";
    }

    private static long cpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os
                ? Math.max(0, os.getProcessCpuTime())
                : 0;
    }
}
