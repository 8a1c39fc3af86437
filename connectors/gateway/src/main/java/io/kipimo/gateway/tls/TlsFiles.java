package io.kipimo.gateway.tls;

import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.tls.PemContents.BadFileException;
import io.kipimo.schemas.document.InvalidDocumentException;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SSLOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The certificate files of a listener, as they were last read. Thread-safe. */
public final class TlsFiles {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);

    static {
        // A caller could make the gateway compute one handshake after the other on a connection.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private final ListenerConfig config;
    private final LongAdder renewed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile TlsSides sides;

    /** The last problem that was logged; empty: there is none. */
    private String problem = "";

    /** Contents for both sides; null: the side has no TLS. */
    private record TlsSides(PemContents callers, PemContents servers) {}

    /**
     * Reads the files.
     *
     * @throws InvalidDocumentException if one cannot be used
     */
    public TlsFiles(ListenerConfig config) {
        this.config = config;
        try {
            sides = read();
        } catch (BadFileException e) {
            throw new InvalidDocumentException(List.of(config.name() + ": " + e.getMessage()));
        }
        if (config.serverTls().filter(tls -> !tls.verify()).isPresent()) {
            LOG.warn("{}: certificates of servers are not verified", config.name());
        }
    }

    private TlsSides read() throws BadFileException {
        return new TlsSides(
                config.tls().isPresent() ? read(config.tls().get()) : null,
                config.serverTls().isPresent() ? read(config.serverTls().get()) : null);
    }

    private static PemContents read(ListenerConfig.CallerTls tls) throws BadFileException {
        return PemContents.read(tls.certificates(), tls.clientAuthorities());
    }

    private static PemContents read(ListenerConfig.ServerTls tls) throws BadFileException {
        return PemContents.read(tls.certificate().stream().toList(), tls.authorities());
    }

    /**
     * Reads the files again. Files that cannot be used are reported once; the former contents stay. This method blocks.
     *
     * @return whether the contents have changed
     */
    public synchronized boolean renew() {
        try {
            TlsSides now = read();
            problem = "";
            if (now.equals(sides)) {
                return false;
            }
            sides = now;
            renewed.increment();
            LOG.info("{}: new connections use the changed certificate files", config.name());
            return true;
        } catch (BadFileException e) {
            if (!problem.equals(e.getMessage())) {
                problem = e.getMessage();
                refused.increment();
                LOG.warn("{}: the former certificates stay: {}", config.name(), problem);
            }
            return false;
        }
    }

    /** Number of changes of the files that came into use. */
    public long renewed() {
        return renewed.sum();
    }

    /** Number of changes of the files that could not be used. */
    public long refused() {
        return refused.sum();
    }

    /** TLS options of the server towards callers; empty: it has no TLS. */
    public Optional<SSLOptions> callers() {
        return Optional.ofNullable(sides.callers()).map(PemContents::options);
    }

    /** TLS options of the client towards servers; empty: it has no TLS. */
    public Optional<SSLOptions> servers() {
        return Optional.ofNullable(sides.servers()).map(PemContents::options);
    }

    /** Sets TLS towards callers, if there is any. */
    public void secure(HttpServerOptions options) {
        callers().ifPresent(tls -> options.setSsl(true)
                .setSni(true)
                .setKeyCertOptions(tls.getKeyCertOptions())
                .setTrustOptions(tls.getTrustOptions())
                .setClientAuth(tls.getTrustOptions() == null ? ClientAuth.NONE : ClientAuth.REQUIRED));
    }

    /** Sets TLS towards servers, if there is any. */
    public void secure(HttpClientOptions options) {
        servers().ifPresent(tls -> {
            boolean verify = config.serverTls().orElseThrow().verify();
            options.setSsl(true)
                    .setTrustAll(!verify)
                    .setVerifyHost(verify)
                    .setKeyCertOptions(tls.getKeyCertOptions())
                    .setTrustOptions(tls.getTrustOptions());
        });
    }
}
