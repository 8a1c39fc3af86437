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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    /** Servers of a backend, in HAProxy's order. */
    List<BackendServer> servers(String backend) throws IOException {
        return states(backend, ask("show servers state " + backend), ask("show stat " + backend + " 4 -1"));
    }

    /**
     * Servers of a backend.
     *
     * @param states the answer to {@code show servers state}
     * @param statistics the answer to {@code show stat}, in CSV
     * @throws IOException naming the line that has another form
     */
    static List<BackendServer> states(String backend, String states, String statistics) throws IOException {
        Set<String> backups = backups(statistics);
        List<BackendServer> servers = new ArrayList<>();
        for (String line : states.split("\n", -1)) {
            // Backend's id and name, server's id, name and address, operational state,
            // administrative state, weight in use.
            String[] words = line.strip().split(" ");
            if (words.length < 2 || line.startsWith("#") || !words[1].equals(backend)) {
                continue;
            }
            if (words.length <= 8 || !words[6].matches("\\d{1,3}") || !words[7].matches("\\d{1,3}")) {
                throw new IOException("show servers state " + backend + ": " + line.strip());
            }
            boolean takesTraffic = words[5].equals(RUNNING)
                    && (Integer.parseInt(words[6]) & ~CONFIGURED_MAINTENANCE) == 0
                    && !backups.contains(words[3]);
            servers.add(new BackendServer(words[3], takesTraffic, Integer.parseInt(words[7])));
        }
        if (servers.isEmpty()) {
            throw new IOException("show servers state " + backend + ": " + states.strip());
        }
        return servers;
    }

    /** Servers that get traffic only when all others are gone. */
    private static Set<String> backups(String statistics) throws IOException {
        List<String> lines = statistics.lines().filter(line -> !line.isBlank()).toList();
        List<String> columns = lines.isEmpty()
                ? List.of()
                : List.of(lines.get(0).replaceFirst("^# *", "").split(","));
        int name = columns.indexOf("svname");
        int backup = columns.indexOf("bck");
        Set<String> backups = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            String[] values = lines.get(i).split(",", -1);
            if (name < 0 || backup < 0 || values.length <= Math.max(name, backup)) {
                throw new IOException("show stat: " + lines.get(i));
            }
            if (i > 0 && !values[backup].equals("0")) {
                backups.add(values[name]);
            }
        }
        return backups;
    }

    private static final String RUNNING = "2";

    /** Stays when a server that the configuration disables is set ready, and tells of no maintenance by itself. */
    private static final int CONFIGURED_MAINTENANCE = 4;

    /** Sets weights of servers of a backend in one request, by name. */
    void weights(String backend, Map<String, Integer> weights) throws IOException {
        List<String> commands = new ArrayList<>();
        weights.forEach((server, weight) -> commands.add("set weight " + backend + '/' + server + ' ' + weight));
        String answer = ask(String.join("; ", commands)).strip();
        if (!answer.isEmpty()) {
            throw new IOException("set weight " + backend + ": " + answer);
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
