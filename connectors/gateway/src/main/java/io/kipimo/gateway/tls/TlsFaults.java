package io.kipimo.gateway.tls;

import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.metrics.RouteCounts;
import io.kipimo.gateway.metrics.RouteCounts.Fault;
import io.kipimo.sdk.internal.net.Address;
import io.netty.handler.ssl.NotSslRecordException;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and explains connections of a listener that fail because of TLS, or because one side does not use it. Each
 * kind is logged at most once a minute. Thread-safe.
 */
public final class TlsFaults {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFaults.class);
    private static final long SILENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ListenerConfig config;
    private final RouteCounts counts;
    private final Map<String, Long> lastNanos = new ConcurrentHashMap<>();
    private volatile boolean answered;

    public TlsFaults(ListenerConfig config, RouteCounts counts) {
        this.config = config;
        this.counts = counts;
    }

    /** Counts a connection of a caller that failed before its first request, if TLS is the cause. */
    public void caller(Throwable failure) {
        if (has(failure, NotSslRecordException.class)) {
            report(Fault.CALLER_NOT_TLS, "a caller speaks HTTP to a listener with TLS: use https://");
        } else if (has(failure, SSLException.class)) {
            report(Fault.CALLER_HANDSHAKE, "a caller's TLS handshake failed: " + why(failure));
        }
    }

    /** Counts a caller that begins a TLS handshake at a listener without TLS. */
    public void callerSpeaksTls() {
        report(Fault.CALLER_TLS, "a caller speaks TLS to a listener without: use http://, or set tls");
    }

    /** Counts a connection to a server that could not be opened, if TLS is the cause. */
    public void server(Address server, Throwable failure) {
        if (has(failure, NotSslRecordException.class)) {
            report(Fault.SERVER_NOT_TLS, server + " does not speak TLS: write http:// in servers");
        } else if (has(failure, SSLException.class)) {
            report(Fault.SERVER_HANDSHAKE, "TLS to " + server + " failed: " + why(failure));
        }
    }

    /** Notes that a server responded, so both sides agree on TLS. */
    public void answered() {
        answered = true;
    }

    /**
     * A server closed a connection without a response. If none has responded yet, and the gateway does not use TLS, it
     * tries a handshake, at most once a minute.
     */
    public void closed(Vertx vertx, Address server) {
        if (answered || config.serverTls().isPresent() || !isDue("probe")) {
            return;
        }
        NetClient probe = vertx.createNetClient(new NetClientOptions()
                .setSsl(true)
                .setTrustAll(true)
                .setHostnameVerificationAlgorithm("")
                .setConnectTimeout(config.timeouts().connectMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                .setSslHandshakeTimeout(config.timeouts().connectMillis()));
        probe.connect(server.port(), server.host())
                .onSuccess(socket -> report(Fault.SERVER_TLS, server + " speaks TLS: write https:// in servers"))
                .onComplete(done -> probe.close());
    }

    private void report(Fault fault, String what) {
        counts.count(fault);
        if (isDue(fault.name())) {
            LOG.warn("{}: {}", config.name(), what);
        }
    }

    private boolean isDue(String kind) {
        long now = System.nanoTime();
        return lastNanos.compute(kind, (k, last) -> last == null || now - last >= SILENCE_NANOS ? (Long) now : last)
                == now;
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (type.isInstance(e)) {
                return true;
            }
        }
        return false;
    }

    /** Message of the innermost cause, which says the most. */
    private static String why(Throwable failure) {
        Throwable e = failure;
        while (e.getCause() != null) {
            e = e.getCause();
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
