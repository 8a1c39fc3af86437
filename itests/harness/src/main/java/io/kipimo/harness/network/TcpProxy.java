package io.kipimo.harness.network;

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
 * Passes connections on to a port of this machine, until it is told to break them. Clients must
 * know the server by {@link #port} alone.
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

    /** Guarded by this; waited for. */
    private Way way = Way.OPEN;

    private TcpProxy(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    /** Listens on a free port of 127.0.0.1 when this returns, and passes on to {@code target}. */
    public static TcpProxy to(int target) {
        try {
            TcpProxy proxy =
                    new TcpProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
            start("tcp-proxy-" + target, proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    /** All connections are reset, and so is every new one, until {@link #heal}. */
    public void cut() {
        turn(Way.CUT);
        reset();
    }

    /**
     * Half open: connections stay and new ones are taken, but nothing passes in either direction
     * and nobody is told, until {@link #heal}.
     */
    public void silence() {
        turn(Way.SILENT);
    }

    /** All is well for new connections; those that were silent are reset. */
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

    /** Returns at once unless it is silent. */
    private synchronized void awaitSound() throws InterruptedException {
        while (way == Way.SILENT) {
            wait();
        }
    }

    private void reset() {
        for (Socket socket : sockets) {
            try {
                // A reset, not an end.
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
                // Closed, or a client that is gone already.
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
            // The other end is told by closing.
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
            // There is nothing left to do with it.
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
