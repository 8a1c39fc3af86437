package io.kipimo.loadgen.memcached;

import io.kipimo.loadgen.http.Template;
import io.kipimo.loadgen.workload.Probe;
import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.Workload;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A memcached under commands of the text protocol, including meta commands (memcached/doc/protocol.txt). Each user has
 * a connection of its own. The target is not restored between experiments. ERROR, CLIENT_ERROR, SERVER_ERROR and bytes
 * that are no answer of the protocol count as failed; a miss counts as an answer.
 */
public final class MemcachedTarget implements Target {
    private static final int DEFAULT_PORT = 11_211;
    private static final int LONGEST_LINE = 64 << 10;

    /** First words of answers of one line (memcached/doc/protocol.txt). */
    private static final Set<String> REPLIES = Set.of(
            "HD",
            "EN",
            "NF",
            "NS",
            "EX",
            "MN",
            "ME",
            "END",
            "STORED",
            "NOT_STORED",
            "EXISTS",
            "NOT_FOUND",
            "DELETED",
            "TOUCHED",
            "OK",
            "VERSION",
            "RESET",
            "BUSY",
            "BADCLASS",
            "NOSPARE",
            "NOTFULL",
            "UNSAFE",
            "SAME");

    /** Commands that may have no answer. */
    private static final Pattern SILENT = Pattern.compile("(?m)\\bnoreply\\s*$|^m[gsda] \\S+.*\\sq(?=\\s|$)|^quit\\b");

    /** Commands with a data block, and the position of the word that states its size in bytes. */
    private static final Map<String, Integer> STORING =
            Map.of("set", 4, "add", 4, "replace", 4, "append", 4, "prepend", 4, "cas", 4, "ms", 2);

    private static final String END = "\r\n";

    private final InetSocketAddress address;
    private final Template command;
    private final int timeOutMillis;

    /**
     * Makes a target.
     *
     * @param url memcached://HOST[:PORT]
     * @param command with placeholders as in {@link Template}; <code>\n</code> separates the data block of a storage
     *     command
     * @throws IllegalArgumentException naming the invalid argument
     */
    public MemcachedTarget(String url, String command, List<String> lines, long timeOutMillis) {
        URI uri = URI.create(url);
        if (!"memcached".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new IllegalArgumentException("target is '" + url + "'; allowed: memcached://HOST[:PORT]");
        }
        this.address = new InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
        String plain = command.replace("\\r\\n", "\\n").replaceFirst("\\\\n$", "");
        for (String text : Stream.concat(Stream.of(plain), lines.stream()).toList()) {
            if (SILENT.matcher(text.replace("\\n", "\n")).find()) {
                throw new IllegalArgumentException(
                        "request is '" + text + "'; allowed: a command with an answer, so neither noreply nor flag q");
            }
        }
        this.command = new Template(plain.replace("\\n", END) + END, lines, false);
        String first = this.command.fill(new Template.TemplateRequest(0, 0, new SplittableRandom(0), "get k"));
        if (!isOne(first)) {
            throw new IllegalArgumentException("request is '" + command
                    + "'; allowed: one command, with a data block of as many bytes as it says if it stores");
        }
        this.timeOutMillis = Math.toIntExact(timeOutMillis);
    }

    /**
     * Returns whether a text is exactly one command. The answers of several commands would be taken for those of the
     * next requests.
     */
    private static boolean isOne(String text) {
        int end = text.indexOf(END);
        String[] words = text.substring(0, end).split(" ");
        Integer bytes = STORING.get(words[0]);
        String data = text.substring(end + END.length());
        if (bytes == null) {
            return data.isEmpty();
        }
        int length = data.getBytes(StandardCharsets.UTF_8).length - END.length();
        return data.endsWith(END) && words.length > bytes && words[bytes].equals(Integer.toString(length));
    }

    /**
     * {@inheritDoc}
     *
     * @throws UncheckedIOException if nothing answers at the address
     */
    @Override
    public Workload open(Share share) {
        Probe.connect(address.getHostString(), address.getPort(), timeOutMillis);
        return (Workload.Blocking) MemcachedUser::new;
    }

    private final class MemcachedUser extends Template.TemplateUser {
        private Socket socket;
        private InputStream in;
        private long deadlineNanos;

        MemcachedUser(long number, long seed) {
            super(number, seed);
        }

        void connect() throws IOException {
            if (socket == null) {
                socket = new Socket();
                socket.connect(address, timeOutMillis);
                socket.setSoTimeout(timeOutMillis);
                socket.setTcpNoDelay(true);
                in = new BufferedInputStream(new InTime(socket.getInputStream()));
            }
        }

        @Override
        public CompletionStage<RequestOutcome> request() {
            try {
                connect();
                if (in.available() > 0) {
                    throw new IOException("the last answer was longer than what was read of it");
                }
                String text = command.fill(next());
                if (!isOne(text)) {
                    return CompletableFuture.completedFuture(RequestOutcome.FAILED);
                }
                deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeOutMillis);
                socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
                return CompletableFuture.completedFuture(answered() ? RequestOutcome.ANSWERED : RequestOutcome.FAILED);
            } catch (IOException e) {
                // The rest of an answer must not be taken for the next one.
                close();
                return CompletableFuture.completedFuture(RequestOutcome.FAILED);
            }
        }

        /**
         * Reads until a deadline for the whole answer, also when it skips bytes. A socket's own time-out applies to
         * each read, so it would never end an answer that comes byte by byte.
         */
        private final class InTime extends InputStream {
            private final InputStream from;

            InTime(InputStream from) {
                this.from = from;
            }

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                long millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
                if (millis <= 0) {
                    throw new SocketTimeoutException("no whole answer in time");
                }
                socket.setSoTimeout(Math.toIntExact(millis));
                return from.read(bytes, offset, length);
            }

            @Override
            public int available() throws IOException {
                return from.available();
            }
        }

        /**
         * Reads one answer. Returns false if it is an error of the server.
         *
         * @throws IOException if it is no answer, such as the bytes after an answer that was read in part
         */
        private boolean answered() throws IOException {
            String line = line();
            switch (word(line, 0)) {
                case "VA" -> skip(line, 1);
                case "VALUE" -> {
                    for (; word(line, 0).equals("VALUE"); line = line()) {
                        skip(line, 3);
                    }
                    require(line.equals("END"), line);
                }
                case "STAT", "ITEM", "PREFIX" -> {
                    String kind = word(line, 0);
                    while (word(line, 0).equals(kind)) {
                        line = line();
                    }
                    require(line.equals("END"), line);
                }
                case "SERVER_ERROR" -> {
                    return false;
                }
                // Of ERROR and CLIENT_ERROR one may follow for each line of the data.
                default -> require(REPLIES.contains(word(line, 0)) || line.matches("\\d{1,20}"), line);
            }
            return true;
        }

        private static String word(String line, int index) {
            String[] words = line.split(" ", index + 2);
            return index < words.length ? words[index] : "";
        }

        /** Skips a data block. A word of the line states its size. */
        private void skip(String line, int index) throws IOException {
            String size = word(line, index);
            require(size.matches("\\d{1,10}"), line);
            in.skipNBytes(Long.parseLong(size));
            require(line().isEmpty(), line);
        }

        private static void require(boolean fits, String line) throws IOException {
            if (!fits) {
                throw new IOException("the answer is '" + line + "'");
            }
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0 || line.length() == LONGEST_LINE) {
                    throw new EOFException(next < 0 ? "connection closed" : "a line that does not end");
                }
                if (next != '\r') {
                    line.append((char) next);
                }
            }
            return line.toString();
        }

        @Override
        public void close() {
            if (socket != null) {
                try {
                    socket.close();
                } catch (IOException e) {
                    // It is gone either way.
                }
                socket = null;
            }
        }
    }
}
