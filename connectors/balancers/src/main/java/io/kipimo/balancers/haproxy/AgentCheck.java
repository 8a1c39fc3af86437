package io.kipimo.balancers.haproxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Answers HAProxy's agent checks with weights, for configurations without a map. The question
 * {@code CLASS} gets the admitted fraction in percent of a server's weight; {@code CLASS shed} gets
 * the rest, for a server that answers 429. Queries are shed at random rather than by the hash of
 * the id, in steps of one percent.
 */
public final class AgentCheck implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 1_000;
    private static final int MOST_QUESTION = 200;
    private static final int THREADS = 4;

    private final Set<String> classes;
    private final ToDoubleFunction<String> fractions;
    private final ServerSocket server;
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(
                    THREADS,
                    THREADS,
                    1,
                    TimeUnit.MINUTES,
                    new ArrayBlockingQueue<>(256),
                    new ThreadPoolExecutor.DiscardPolicy());

    private AgentCheck(
            ServerSocket server, Set<String> classes, ToDoubleFunction<String> fractions) {
        this.server = server;
        this.classes = Set.copyOf(classes);
        this.fractions = fractions;
    }

    /**
     * Starts the server; it accepts connections when this returns.
     *
     * @param port 0: any free port
     * @param fractions admitted fractions that apply now, 0..1, by class
     * @throws IOException if the port cannot be opened
     */
    public static AgentCheck start(
            String host, int port, Set<String> classes, ToDoubleFunction<String> fractions)
            throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        AgentCheck check = new AgentCheck(server, classes, fractions);
        Thread thread = new Thread(check::accept, "kipimo-agent-check");
        thread.setDaemon(true);
        thread.start();
        return check;
    }

    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                threads.execute(() -> answer(socket));
            } catch (IOException e) {
                // Closed, or the connection broke at once.
            }
        }
    }

    private void answer(Socket socket) {
        try (socket) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            String reply = reply(question(socket));
            socket.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // HAProxy repeats the check.
        }
    }

    private static String question(Socket socket) throws IOException {
        StringBuilder question = new StringBuilder();
        try {
            for (int c = socket.getInputStream().read();
                    c >= 0 && c != '\n' && question.length() < MOST_QUESTION;
                    c = socket.getInputStream().read()) {
                question.append((char) c);
            }
        } catch (SocketTimeoutException e) {
            // HAProxy is configured without agent-send.
        }
        return question.toString().strip();
    }

    /** The answer for an unknown class is empty, so HAProxy keeps the weight. */
    String reply(String question) {
        String[] words = question.split(" ", 2);
        if (!classes.contains(words[0])) {
            return "\n";
        }
        long percent = Math.round(100 * fractions.applyAsDouble(words[0]));
        boolean isShed = words.length == 2 && words[1].strip().equals("shed");
        return (isShed ? 100 - percent : percent) + "%\n";
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }
}
