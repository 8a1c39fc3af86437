package io.kipimo.embedded.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Forwards connections to a port of this machine until it is switched to a fault. Clients must reach the server through
 * {@link #port} only.
 */
public final class TcpProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private enum Way {
        OPEN,
        CUT,
        SILENT
    }

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** Guarded by this; waiters are notified of changes. */
    private Way way = Way.OPEN;

    private TcpProxy(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    /** Forwards to {@code target}. When this returns, it listens on a free port of 127.0.0.1. */
    public static TcpProxy to(int target) {
        try {
            TcpProxy proxy = new TcpProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
            start("tcp-proxy-" + target, proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Resets all connections, and every new one, until {@link #heal}. */
    public void cut() {
        turn(Way.CUT);
        reset();
    }

    /**
     * Half open: connections stay open and new ones are accepted, but no byte passes in either direction until
     * {@link #heal}. Neither side is notified.
     */
    public void silence() {
        turn(Way.SILENT);
    }

    /** Ends the fault for new connections; resets those that were half open. */
    public void heal() {
        reset();
        turn(Way.OPEN);
    }

    @Override
    public void close() {
        turn(Way.CUT);
        closeQuietly(server);
        reset();
    }

    private synchronized void turn(Way next) {
        way = next;
        notifyAll();
    }

    private synchronized Way now() {
        return way;
    }

    /** Blocks while the proxy is half open; else returns at once. */
    private synchronized void awaitSound() throws InterruptedException {
        while (way == Way.SILENT) {
            wait();
        }
    }

    private void reset() {
        for (Socket socket : sockets) {
            try {
                // Linger 0 sends a reset instead of a normal close.
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                // It is closed already.
            }
            closeQuietly(socket);
        }
        sockets.clear();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                start("tcp-proxy-connection", () -> connect(client));
            } catch (IOException e) {
                // The proxy was closed, or the client has disconnected already.
            }
        }
    }

    private void connect(Socket client) {
        try {
            awaitSound();
            if (now() == Way.CUT) {
                client.setSoLinger(true, 0);
                throw new IOException("cut");
            }
            Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(upstream);
            if (client.isClosed()) {
                drop(upstream);
                throw new IOException("reset meanwhile");
            }
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            start("tcp-proxy-back", () -> pump(upstream, client));
            pump(client, upstream);
        } catch (IOException e) {
            drop(client);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            drop(client);
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitSound();
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // Closing signals the end to the other side.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            drop(from);
            drop(to);
        }
    }

    private void drop(Socket socket) {
        sockets.remove(socket);
        closeQuietly(socket);
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // The connection is closed already; no action is needed.
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
