package io.kipimo.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A connection for bytes that no HTTP client sends. */
final class Wire implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    /** A silence of this length ends a response on a connection that is kept alive. */
    private static final int PAUSE_MILLIS = 300;

    private final Socket socket;

    private Wire(Socket socket) {
        this.socket = socket;
    }

    static Wire to(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        return new Wire(socket);
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            // The other side may close while malformed bytes are being sent.
        }
    }

    void halfClose() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            // The other side has closed already.
        }
    }

    /** Waits for a first byte, however late it is, and reads until the other side pauses. */
    String readAll() {
        return read(PATIENCE_MILLIS);
    }

    /** Reads until the other side closes or pauses; empty if it sends nothing for a moment. */
    String readBriefly() {
        return read(PAUSE_MILLIS);
    }

    private String read(int firstMillis) {
        StringBuilder all = new StringBuilder();
        byte[] block = new byte[4096];
        try {
            socket.setSoTimeout(firstMillis);
            for (int n = socket.getInputStream().read(block);
                    n >= 0;
                    n = socket.getInputStream().read(block)) {
                all.append(new String(block, 0, n, StandardCharsets.ISO_8859_1));
                socket.setSoTimeout(PAUSE_MILLIS);
            }
        } catch (SocketTimeoutException e) {
            // The connection is kept alive.
        } catch (IOException e) {
            // The connection was reset.
        }
        return all.toString();
    }

    /** Reads until the other side closes, however long that takes. */
    String readToEnd() throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Like {@link #readToEnd}, but the other side may close while this side still sends. */
    String readUntilClosed() throws IOException {
        try {
            return readToEnd();
        } catch (SocketException e) {
            return "";
        }
    }

    /** Closes the connection with a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
