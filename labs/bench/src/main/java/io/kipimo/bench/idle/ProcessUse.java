package io.kipimo.bench.idle;

import io.kipimo.embedded.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Resource use of a process since its start.
 *
 * @param takenNanos time of the reading, {@link System#nanoTime}
 * @param cpuNanos processor time of all threads
 * @param compilerNanos processor time of the JVM's compiler threads that run now; 0 without a Linux /proc
 * @param wakeUps number of voluntary context switches; 0 without a Linux /proc
 */
public record ProcessUse(long takenNanos, long cpuNanos, long compilerNanos, long wakeUps) {
    private static final String NAME = "Name:";
    private static final String WAKE_UPS = "voluntary_ctxt_switches:";

    /** Name of a compiler thread, as far as Linux keeps it: it cuts long names. */
    private static final Pattern COMPILER = Pattern.compile("C[12] CompilerThre.*");

    /**
     * Use between two readings.
     *
     * @param cores processor time divided by elapsed time; 1 means one core
     * @param compilerCores the part of {@code cores} that the JVM's compiler used
     */
    public record Rate(double cores, double compilerCores, double wakeUpsPerSecond) {}

    public static ProcessUse of(long pid) throws IOException {
        long cpuNanos = ChildProcess.cpu(ProcessHandle.of(pid).orElseThrow()).toNanos();
        long compilerNanos = 0;
        long wakeUps = 0;
        for (Path thread : threads(pid)) {
            try {
                List<String> status = Files.readAllLines(thread.resolve("status"));
                wakeUps += Long.parseLong(field(status, WAKE_UPS));
                if (COMPILER.matcher(field(status, NAME)).matches()) {
                    compilerNanos += nanos(thread);
                }
            } catch (NoSuchFileException ended) {
                // The thread has ended, so its figures are not available.
            }
        }
        return new ProcessUse(System.nanoTime(), cpuNanos, compilerNanos, wakeUps);
    }

    public Rate since(ProcessUse before) {
        double nanos = takenNanos - before.takenNanos;
        return new Rate(
                (cpuNanos - before.cpuNanos) / nanos,
                // An ended thread's time is missing in the later reading.
                Math.max(0, compilerNanos - before.compilerNanos) / nanos,
                (wakeUps - before.wakeUps) / (nanos / 1e9));
    }

    private static List<Path> threads(long pid) throws IOException {
        Path threads = Path.of("/proc/" + pid + "/task");
        if (!Files.isDirectory(threads)) {
            return List.of();
        }
        try (Stream<Path> list = Files.list(threads)) {
            return list.toList();
        }
    }

    private static String field(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).trim())
                .findFirst()
                .orElse("0");
    }

    /** Time of a thread on a processor, the first number of its scheduling statistics. */
    private static long nanos(Path thread) throws IOException {
        String statistics = Files.readString(thread.resolve("schedstat"));
        return Long.parseLong(statistics.substring(0, statistics.indexOf(' ')));
    }
}
