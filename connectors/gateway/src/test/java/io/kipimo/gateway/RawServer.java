package io.kipimo.gateway;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server behind a gateway. It parses requests byte by byte, strictly by RFC 9112, and answers with arbitrary bytes.
 */
final class RawServer implements AutoCloseable {
    /** A received request; it is not whole if its body broke off. */
    record Request(int connection, String line, String head, String body, boolean isWhole) {
        String target() {
            return line.split(" ", -1)[1];
        }
    }

    /** A connection from the gateway. */
    static final class Peer {
        private final Socket socket;

        Peer(Socket socket) {
            this.socket = socket;
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
        }

        void close() throws IOException {
            socket.close();
        }
    }

    /** Answers a request; may leave the connection open or close it. */
    interface Answers {
        void answer(Request request, Peer peer) throws Exception;

        /** Called when the head of a request has arrived, before its body. */
        default void early(Peer peer) throws IOException {}
    }

    private final ServerSocket socket;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** All requests, in the order of their ends. */
    final List<Request> requests = new CopyOnWriteArrayList<>();

    /** Bytes that are not a request. */
    final List<String> nonsense = new CopyOnWriteArrayList<>();

    /** Number of chunks of all bodies. */
    final AtomicInteger chunks = new AtomicInteger();

    /** Number of requests whose head has been read. */
    final AtomicInteger heads = new AtomicInteger();

    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();

    private RawServer(Answers answers) throws IOException {
        socket = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
        threads.execute(() -> accept(answers));
    }

    static RawServer start(Answers answers) throws IOException {
        return new RawServer(answers);
    }

    /** Answers every request with its target as the body. */
    static Answers echo() {
        return (request, peer) -> peer.send(ok(request.target()));
    }

    static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    int port() {
        return socket.getLocalPort();
    }

    List<Request> whole() {
        return requests.stream().filter(Request::isWhole).toList();
    }

    private void accept(Answers answers) {
        try {
            while (true) {
                Socket one = socket.accept();
                one.setTcpNoDelay(true);
                sockets.add(one);
                open.incrementAndGet();
                int number = connections.incrementAndGet();
                threads.execute(() -> serve(number, one, answers));
            }
        } catch (IOException e) {
            // The connection is closed.
        }
    }

    private void serve(int connection, Socket one, Answers answers) {
        try (one) {
            InputStream in = new BufferedInputStream(one.getInputStream());
            Peer peer = new Peer(one);
            while (true) {
                Request next = read(connection, in, answers, peer);
                if (next == null) {
                    return;
                }
                requests.add(next);
                if (!next.isWhole()) {
                    return;
                }
                answers.answer(next, peer);
            }
        } catch (IllegalArgumentException e) {
            nonsense.add(e.getMessage());
        } catch (Exception e) {
            // The peer has closed the connection.
        } finally {
            open.decrementAndGet();
        }
    }

    private Request read(int connection, InputStream in, Answers answers, Peer peer) throws IOException {
        String line;
        StringBuilder head = new StringBuilder();
        try {
            line = line(in);
            if (!line.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+ [!-~]+ HTTP/1\\.[01]")) {
                throw new IllegalArgumentException(line);
            }
            for (String next = line(in); !next.isEmpty(); next = line(in)) {
                if (!next.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\\t -~\\x80-\\xff]*")) {
                    throw new IllegalArgumentException(next);
                }
                head.append(next).append('\n');
            }
        } catch (EOFException e) {
            return null;
        }
        heads.incrementAndGet();
        answers.early(peer);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        boolean isWhole = true;
        try {
            body(head.toString(), in, body);
        } catch (IOException e) {
            isWhole = false;
        }
        return new Request(connection, line, head.toString(), body.toString(StandardCharsets.ISO_8859_1), isWhole);
    }

    private void body(String head, InputStream in, ByteArrayOutputStream body) throws IOException {
        List<String> lengths = values(head, "content-length");
        List<String> encodings = values(head, "transfer-encoding");
        if (lengths.size() + encodings.size() > 1) {
            throw new IllegalArgumentException(head);
        }
        if (!lengths.isEmpty()) {
            copy(in, body, Integer.parseInt(lengths.get(0)));
        } else if (!encodings.isEmpty()) {
            int size;
            do {
                size = Integer.parseInt(line(in), 16);
                chunks.incrementAndGet();
                copy(in, body, size);
                if (!line(in).isEmpty()) {
                    throw new IllegalArgumentException("a chunk of another size");
                }
            } while (size > 0);
        }
    }

    private static List<String> values(String head, String name) {
        return head.lines()
                .filter(l -> l.toLowerCase(Locale.ROOT).startsWith(name + ':'))
                .map(l -> l.substring(name.length() + 1).strip())
                .toList();
    }

    private static void copy(InputStream in, ByteArrayOutputStream out, int bytes) throws IOException {
        byte[] block = new byte[8192];
        int left = bytes;
        while (left > 0) {
            int n = in.read(block, 0, Math.min(left, block.length));
            if (n < 0) {
                throw new EOFException();
            }
            out.write(block, 0, n);
            left -= n;
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            line.append((char) b);
        }
        if (line.length() == 0 || line.charAt(line.length() - 1) != '\r') {
            throw new IllegalArgumentException(line + " without CR");
        }
        return line.substring(0, line.length() - 1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket one : sockets) {
            one.close();
        }
        threads.shutdownNow();
    }
}
