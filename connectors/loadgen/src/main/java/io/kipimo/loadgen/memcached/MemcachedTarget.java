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
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A memcached under commands of the text protocol (memcached/doc/protocol.txt). Each user has a connection of its own.
 * The target is not restored between experiments. An answer that begins with ERROR, CLIENT_ERROR or SERVER_ERROR counts
 * as failed; a miss is an answer.
 */
public final class MemcachedTarget implements Target {
    private static final int DEFAULT_PORT = 11_211;

    private final InetSocketAddress address;
    private final Template command;
    private final int timeOutMillis;

    /**
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
        this.command = new Template(command.replace("\\n", "\r\n") + "\r\n", lines, false);
        this.timeOutMillis = Math.toIntExact(timeOutMillis);
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

        MemcachedUser(long number, long seed) {
            super(number, seed);
        }

        void connect() throws IOException {
            if (socket == null) {
                socket = new Socket();
                socket.connect(address, timeOutMillis);
                socket.setSoTimeout(timeOutMillis);
                socket.setTcpNoDelay(true);
                in = new BufferedInputStream(socket.getInputStream());
            }
        }

        @Override
        public CompletionStage<RequestOutcome> request() {
            try {
                connect();
                String text = command.fill(next());
                socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
                return CompletableFuture.completedFuture(answered() ? RequestOutcome.ANSWERED : RequestOutcome.FAILED);
            } catch (IOException e) {
                // The rest of an answer must not be taken for the next one.
                close();
                return CompletableFuture.completedFuture(RequestOutcome.FAILED);
            }
        }

        /** Reads one answer; false if it is an error. */
        private boolean answered() throws IOException {
            String line = line();
            while (line.startsWith("VALUE ")) {
                String[] words = line.split(" ", -1);
                in.skipNBytes(size(words.length > 3 ? words[3] : "") + 2);
                line = line();
            }
            while (line.startsWith("STAT ")) {
                line = line();
            }
            return !line.contains("ERROR");
        }

        private static long size(String word) throws IOException {
            try {
                return Long.parseLong(word);
            } catch (NumberFormatException e) {
                throw new IOException("size of a value is '" + word + "'", e);
            }
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw new EOFException("connection closed");
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
