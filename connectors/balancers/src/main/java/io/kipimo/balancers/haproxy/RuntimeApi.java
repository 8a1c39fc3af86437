package io.kipimo.balancers.haproxy;

import io.kipimo.sdk.internal.net.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Client of HAProxy's Runtime API: one command for each connection, over a Unix socket or TCP (HAProxy management
 * guide, sec. 9.3). Numbers are written as digits, since HAProxy reads {@code 1e3} as 1 and {@code NaN} as 0.
 */
final class RuntimeApi {
    private static final int MOST_ANSWER = 1 << 20;

    private final SocketAddress address;
    private final Duration timeout;

    /**
     * @param socket path, or HOST:PORT
     * @throws IllegalArgumentException if it is neither
     */
    RuntimeApi(String socket, Duration timeout) {
        this.address = address(socket);
        this.timeout = timeout;
    }

    /** @throws IllegalArgumentException unless it is a path, or HOST:PORT */
    static SocketAddress address(String socket) {
        if (!socket.isBlank() && (socket.indexOf('/') >= 0 || socket.indexOf(':') < 0)) {
            return UnixDomainSocketAddress.of(socket);
        }
        return Address.parse(socket)
                .map(at -> new InetSocketAddress(at.host(), at.port()))
                .orElseThrow(() ->
                        new IllegalArgumentException("socket is '" + socket + "'; allowed: a path, or HOST:PORT"));
    }

    /** The entries of a map; if a key is repeated, its first entry. */
    Map<String, String> map(String file) throws IOException {
        Map<String, String> entries = new LinkedHashMap<>();
        for (String line : ask("show map " + file).split("\n", -1)) {
            // Address, key, value.
            String[] words = line.strip().split(" ", 3);
            if (words.length == 3 && words[0].startsWith("0x")) {
                entries.putIfAbsent(words[1], words[2]);
            } else if (!line.isBlank()) {
                throw new IOException("show map " + file + ": " + line.strip());
            }
        }
        return entries;
    }

    /** Sets or adds a key. */
    void set(String file, String key, int value, boolean isNew) throws IOException {
        String answer = ask((isNew ? "add map " : "set map ") + file + ' ' + key + ' ' + value)
                .strip();
        if (!answer.isEmpty()) {
            throw new IOException("set map " + file + ' ' + key + ": " + answer);
        }
    }

    /**
     * The answer to a command.
     *
     * @throws IOException if there is none in time, or if it is too long
     */
    String ask(String command) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        try (SocketChannel channel = address instanceof UnixDomainSocketAddress
                        ? SocketChannel.open(StandardProtocolFamily.UNIX)
                        : SocketChannel.open();
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            if (!channel.connect(address)) {
                channel.register(selector, SelectionKey.OP_CONNECT);
                await(selector, deadline);
                channel.finishConnect();
            }
            ByteBuffer out = ByteBuffer.wrap((command + '\n').getBytes(StandardCharsets.US_ASCII));
            channel.register(selector, SelectionKey.OP_WRITE);
            while (out.hasRemaining()) {
                await(selector, deadline);
                channel.write(out);
            }
            channel.register(selector, SelectionKey.OP_READ);
            return read(channel, selector, deadline);
        }
    }

    private static String read(SocketChannel channel, Selector selector, long deadline) throws IOException {
        StringBuilder answer = new StringBuilder();
        ByteBuffer in = ByteBuffer.allocate(8192);
        while (true) {
            await(selector, deadline);
            int count = channel.read(in);
            if (count < 0) {
                return answer.toString();
            }
            answer.append(StandardCharsets.ISO_8859_1.decode(in.flip()));
            in.clear();
            if (answer.length() > MOST_ANSWER) {
                throw new IOException("an answer above " + MOST_ANSWER + " characters");
            }
        }
    }

    private static void await(Selector selector, long deadline) throws IOException {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0 || selector.select(millis) == 0) {
            throw new IOException("no answer in time");
        }
        selector.selectedKeys().clear();
    }
}
