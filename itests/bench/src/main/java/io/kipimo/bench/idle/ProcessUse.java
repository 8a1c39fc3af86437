package io.kipimo.bench.idle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Resource use of a process since its start.
 *
 * @param takenNanos time of the reading, {@link System#nanoTime}
 * @param cpuNanos processor time of all threads
 * @param wakeUps number of voluntary context switches; 0 without a Linux /proc
 */
record ProcessUse(long takenNanos, long cpuNanos, long wakeUps) {
    private static final String WAKE_UPS = "voluntary_ctxt_switches:";

    /**
     * Use between two readings.
     *
     * @param cores processor time divided by elapsed time; 1 means one core
     */
    record Rate(double cores, double wakeUpsPerSecond) {}

    static ProcessUse of(long pid) throws IOException {
        Duration cpu =
                ProcessHandle.of(pid)
                        .flatMap(process -> process.info().totalCpuDuration())
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "the system tells no processor time of process "
                                                        + pid));
        return new ProcessUse(System.nanoTime(), cpu.toNanos(), wakeUps(pid));
    }

    Rate since(ProcessUse before) {
        double nanos = takenNanos - before.takenNanos;
        return new Rate(
                (cpuNanos - before.cpuNanos) / nanos, (wakeUps - before.wakeUps) / (nanos / 1e9));
    }

    private static long wakeUps(long pid) throws IOException {
        Path threads = Path.of("/proc/" + pid + "/task");
        if (!Files.isDirectory(threads)) {
            return 0;
        }
        long sum = 0;
        List<Path> all;
        try (Stream<Path> list = Files.list(threads)) {
            all = list.toList();
        }
        for (Path thread : all) {
            try (Stream<String> lines = Files.lines(thread.resolve("status"))) {
                sum +=
                        lines.filter(line -> line.startsWith(WAKE_UPS))
                                .mapToLong(
                                        line ->
                                                Long.parseLong(
                                                        line.substring(WAKE_UPS.length()).trim()))
                                .sum();
            } catch (NoSuchFileException ended) {
                // The thread has ended, so its count is not available.
            }
        }
        return sum;
    }
}
