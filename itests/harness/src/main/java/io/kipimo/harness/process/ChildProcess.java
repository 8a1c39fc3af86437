package io.kipimo.harness.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own, by default on this JVM's class path. It ends when its parent ends, however that
 * comes to pass: it reads its standard input and halts when that ends.
 */
public final class ChildProcess implements AutoCloseable {
    private static final long GRACE_SECONDS = 5;

    private final Process process;
    private final Path log;

    private ChildProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts {@code main} in a child JVM.
     *
     * @param log file that takes its standard output and error, appended
     */
    public static ChildProcess start(
            Class<?> main, List<String> jvmArguments, List<String> arguments, Path log) {
        return start(main, System.getProperty("java.class.path"), jvmArguments, arguments, log);
    }

    /** On a class path of its own, which must hold this class, too. */
    public static ChildProcess start(
            Class<?> main,
            String classPath,
            List<String> jvmArguments,
            List<String> arguments,
            Path log) {
        return start(main.getName(), classPath, jvmArguments, arguments, log);
    }

    /** The same with a main class that is not on this JVM's class path. */
    public static ChildProcess start(
            String main,
            String classPath,
            List<String> jvmArguments,
            List<String> arguments,
            Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.add(Bound.class.getName());
        command.add(main);
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // Too long for a command line.
        builder.environment().put("CLASSPATH", classPath);
        try {
            return new ChildProcess(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it as {@code kill -9} does, and waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        await(GRACE_SECONDS);
    }

    /** Stops it where it is, as {@code kill -STOP} does: its sockets stay, nobody serves them. */
    public void pause() {
        signal("-STOP");
    }

    /** Lets it go on after {@link #pause}. */
    public void resume() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(pid())).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill " + signal + " " + pid() + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** What it printed so far. */
    public String output() {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "no log: " + e;
        }
    }

    /** Asks it to end, and kills it when it does not within a few seconds. */
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

    /** Main class of every child: binds its life to the parent's, then becomes the wanted main. */
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
                    // Nobody writes; only the end matters.
                }
            } catch (IOException e) {
                // As good as the end.
            }
            Runtime.getRuntime().halt(1);
        }
    }
}
