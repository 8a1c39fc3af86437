package io.kipimo.balancers.haproxy;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;

/**
 * Answers HAProxy's agent checks with weights, for configurations without a map. The question {@code CLASS} gets the
 * admitted fraction in percent of a server's weight; {@code CLASS shed} gets the rest, for a server that answers 429.
 * Queries are shed at random rather than by the hash of the id, in steps of one percent.
 *
 * <p>A question must arrive as a whole within a second. The adapter then answers what has arrived, since HAProxy may be
 * configured without agent-send.
 */
public final class AgentCheck implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 1_000;
    private static final int CLOSING_SECONDS = 10;
    private static final int MOST_QUESTION = 200;
    private static final int MOST_CONNECTIONS = 256;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Set<String> classes;
    private final ToDoubleFunction<String> fractions;
    private NetServer server;

    /** Open connections; used by the event loop alone. */
    private int open;

    private AgentCheck(Set<String> classes, ToDoubleFunction<String> fractions) {
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
    public static AgentCheck start(String host, int port, Set<String> classes, ToDoubleFunction<String> fractions)
            throws IOException, InterruptedException {
        AgentCheck check = new AgentCheck(classes, fractions);
        try {
            check.server = check.vertx
                    .createNetServer()
                    .connectHandler(check::opened)
                    .listen(port, host)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(CLOSING_SECONDS, TimeUnit.SECONDS);
            return check;
        } catch (ExecutionException | TimeoutException e) {
            check.close();
            throw new IOException("cannot listen on " + host + ':' + port, e);
        }
    }

    public int port() {
        return server.actualPort();
    }

    private void opened(NetSocket socket) {
        if (open >= MOST_CONNECTIONS) {
            var unused = socket.close();
            return;
        }
        open++;
        Buffer question = Buffer.buffer();
        long timer = vertx.setTimer(PATIENCE_MILLIS, late -> answer(socket, question));
        socket.closeHandler(closed -> {
            open--;
            vertx.cancelTimer(timer);
        });
        socket.endHandler(end -> answer(socket, question));
        socket.handler(piece -> {
            question.appendBuffer(piece.slice(0, Math.min(piece.length(), MOST_QUESTION - question.length())));
            if (question.length() >= MOST_QUESTION
                    || question.toString(StandardCharsets.US_ASCII).contains("\n")) {
                answer(socket, question);
            }
        });
    }

    private void answer(NetSocket socket, Buffer question) {
        socket.pause();
        String[] lines = question.toString(StandardCharsets.US_ASCII).split("\n", 2);
        // HAProxy repeats a check that fails.
        var unused = socket.end(Buffer.buffer(reply(lines[0].strip())));
    }

    /** The answer to a question. For an unknown class it is empty, so HAProxy keeps the weight. */
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
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(CLOSING_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
