package io.kipimo.bench.idle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process has used since its start.
 *
 * @param takenNanos when this was read, {@link System#nanoTime}
 * @param cpuNanos processor time of all threads
 * @param wakeUps times that a thread gave up its processor by itself; 0 without a Linux /proc
 */
record ProcessUse(long takenNanos, long cpuNanos, long wakeUps) {
    private static final String WAKE_UPS = "voluntary_ctxt_switches:";

    /**
     * Between two readings.
     *
     * @param cores processor time by time, 1 for one core
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
                // The thread is gone; so is its count.
            }
        }
        return sum;
    }
}
