package io.kipimo.loadgen.generator;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Whether the generator, and not the target, limits the load (sec. 9, figure 11): its processors
 * are used up, it did not send what was due, or its users spent their time waiting for it.
 */
final class SelfWatch {
    /** Of the machine's processors. */
    private static final double MOST_CPU = 0.9;

    /** Of what was due. */
    private static final double LEAST_SENT = 0.98;

    /** So few that are late tell nothing. */
    private static final long FEW = 3;

    /**
     * A closed load is lower than asked for by the share of a user's time that the generator takes.
     */
    private static final double MOST_WAITING = 0.1;

    private final long startNanos = System.nanoTime();
    private final long startCpuNanos = cpuNanos();

    /** Since this was made, 0..1; 0 where it cannot be told. */
    double ownCpu() {
        long nanos = System.nanoTime() - startNanos;
        double processors = Runtime.getRuntime().availableProcessors();
        return nanos <= 0
                ? 0
                : Math.max(0, Math.min(1, (cpuNanos() - startCpuNanos) / (nanos * processors)));
    }

    /**
     * Why an open load is less than asked for; empty if it is not.
     *
     * @param sent of those due, before the end
     * @param unsent of those due, not even a little after the end
     */
    static String ofOpen(long due, long sent, long unsent, double ownCpu) {
        if (unsent > 0 || sent + FEW < LEAST_SENT * due) {
            return String.format(Locale.ROOT, "sent %,d of %,d requests that were due", sent, due);
        }
        return cpu(ownCpu);
    }

    /**
     * Why a closed load is less than asked for; empty if it is not.
     *
     * @param waitingMicros sum over all requests of what the generator took
     * @param cycleMicros sum over all requests of what users spent on them, thinking left out
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
                ? String.format(
                        Locale.ROOT, "used %.0f %% of this machine's processors", 100 * ownCpu)
                : "";
    }

    private static long cpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os
                ? Math.max(0, os.getProcessCpuTime())
                : 0;
    }
}
