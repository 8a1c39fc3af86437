package io.kipimo.embedded.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server process that is not a Java program, together with its child processes. */
public final class ForeignProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Process process;

    private ForeignProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts a server and waits until it listens.
     *
     * @param port port of 127.0.0.1 on which it will listen
     * @param log file for its output
     * @throws IOException with the last lines of its output, if the server ends or does not listen within a minute
     */
    public static ForeignProcess start(List<String> command, int port, Path log) throws IOException {
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ForeignProcess process = new ForeignProcess(started);
        try {
            ChildProcess.awaitReady(command.get(0), started, log, () -> listens(port), PATIENCE);
            return process;
        } catch (IllegalStateException e) {
            process.close();
            throw new IOException(e.getMessage(), e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Whether a process listens on a port of this machine. */
    public static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
