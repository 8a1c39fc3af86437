package io.kipimo.embedded.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A child JVM, by default on this JVM's class path. The child ends when its parent ends for any reason, because it
 * reads its standard input and halts at the input's end.
 */
public final class ChildProcess implements AutoCloseable {
    /** System property: options of each child's JVM, separated by spaces. */
    public static final String JVM_OPTIONS = "kipimo.child.jvm";

    private static final long GRACE_SECONDS = 5;

    /** Greatest number of lines of the child's output in a message. */
    private static final int MOST_LINES = 20;

    private final Process process;
    private final Path log;

    private ChildProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts {@code main} in a child JVM.
     *
     * @param log file to which the child's standard output and error are appended
     */
    public static ChildProcess start(Class<?> main, List<String> jvmArguments, List<String> arguments, Path log) {
        return start(main.getName(), System.getProperty("java.class.path"), jvmArguments, arguments, log);
    }

    /** Starts a child JVM on another class path, which must contain this class, too. */
    public static ChildProcess start(
            String main, String classPath, List<String> jvmArguments, List<String> arguments, Path log) {
        return start(main, classPath, jvmArguments, arguments, Map.of(), log);
    }

    /**
     * Starts a child JVM on another class path, which must contain this class, too, and with further environment
     * variables.
     *
     * @param environment environment variables in addition to those of this process
     */
    public static ChildProcess start(
            String main,
            String classPath,
            List<String> jvmArguments,
            List<String> arguments,
            Map<String, String> environment,
            Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+ExitOnOutOfMemoryError");
        Stream.of(System.getProperty(JVM_OPTIONS, "").split(" ", -1))
                .filter(option -> !option.isEmpty())
                .forEach(command::add);
        command.addAll(jvmArguments);
        command.add(Bound.class.getName());
        command.add(main);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // The class path is too long for a command line.
        builder.environment().put("CLASSPATH", classPath);
        builder.environment().putAll(environment);
        try {
            return new ChildProcess(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Processor time of all threads of the child since it started. */
    public Duration cpu() {
        return cpu(process.toHandle());
    }

    /**
     * Processor time of all threads of a process since it started.
     *
     * @throws IllegalStateException if the system does not report it
     */
    public static Duration cpu(ProcessHandle process) {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(() ->
                        new IllegalStateException("the system tells no processor time of process " + process.pid()));
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the child, like {@code kill -9}, and waits up to five seconds until it has ended. */
    public void kill() {
        process.destroyForcibly();
        await(GRACE_SECONDS);
    }

    /**
     * Waits until the child ends.
     *
     * @return the child's exit code
     * @throws IllegalStateException with the child's output, if the child still runs after {@code patience}
     */
    public int exitCode(Duration patience) {
        if (!await(patience.toSeconds())) {
            throw new IllegalStateException("it runs on: " + output());
        }
        return process.exitValue();
    }

    /**
     * Waits until the child is ready.
     *
     * @param name name of the child, for the message
     * @throws IllegalStateException if the child ends, or is not ready in time. The message has the time, the machine's
     *     load and the last lines of the child's output
     */
    public void awaitReady(String name, BooleanSupplier ready, Duration patience) {
        awaitReady(name, process, log, ready, patience);
    }

    /** Waits until a process is ready, whose output is in the file {@code log}. */
    static void awaitReady(String name, Process process, Path log, BooleanSupplier ready, Duration patience) {
        long start = System.nanoTime();
        Supplier<String> problem = () -> "%s %s after %d s%s; it said%s"
                .formatted(
                        name,
                        process.isAlive() ? "is not ready" : "ended with code " + process.exitValue(),
                        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
                        load(),
                        lastLines(output(log)));
        Await.until(
                () -> {
                    if (!process.isAlive()) {
                        throw new IllegalStateException(problem.get());
                    }
                    return ready.getAsBoolean();
                },
                patience,
                problem);
    }

    private static String lastLines(String output) {
        if (output.isBlank()) {
            return " nothing";
        }
        List<String> lines = output.lines().toList();
        int left = Math.max(0, lines.size() - MOST_LINES);
        return (left == 0 ? ":\n" : ", after " + left + " other lines:\n")
                + String.join("\n", lines.subList(left, lines.size()));
    }

    /**
     * Returns the machine's load and its number of processors as a text; empty if the system does not report the load.
     */
    private static String load() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        double load = system.getSystemLoadAverage();
        return load < 0
                ? ""
                : String.format(Locale.ROOT, ", at load %.1f on %d processors", load, system.getAvailableProcessors());
    }

    /** Output of the child so far. */
    public String output() {
        return output(log);
    }

    private static String output(Path log) {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "no log: " + e;
        }
    }

    /** Asks the child to end, and kills it if it has not ended after five seconds. */
    @Override
    public void close() {
        process.destroy();
        if (!await(GRACE_SECONDS)) {
            kill();
        }
    }

    private boolean await(long seconds) {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Main class of every child. It makes the child end with its parent, and runs the given main class. */
    static final class Bound {
        private Bound() {}

        public static void main(String[] args) throws Exception {
            Thread watch = new Thread(Bound::haltAtEndOfInput, "parent-watch");
            watch.setDaemon(true);
            watch.start();
            String[] rest = new String[args.length - 1];
            System.arraycopy(args, 1, rest, 0, rest.length);
            Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
        }

        private static void haltAtEndOfInput() {
            try {
                while (System.in.read() >= 0) {
                    // The parent writes nothing; the read returns when the parent ends.
                }
            } catch (IOException e) {
                // Treated like the end of the input.
            }
            Runtime.getRuntime().halt(1);
        }
    }
}
