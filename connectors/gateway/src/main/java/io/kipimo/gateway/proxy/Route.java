package io.kipimo.gateway.proxy;

import io.kipimo.gateway.arbitration.SharedArbiter;
import io.kipimo.gateway.config.CopyPolicy;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.config.Role;
import io.kipimo.gateway.index.EngineCount;
import io.kipimo.gateway.index.IndexFacts;
import io.kipimo.gateway.index.IndexStates;
import io.kipimo.gateway.limit.LocalLimit;
import io.kipimo.gateway.metrics.RouteCounts;
import io.kipimo.gateway.record.QueryRecorder;
import io.kipimo.gateway.record.ReplicaAnswers;
import io.kipimo.gateway.tls.TlsFaults;
import io.kipimo.gateway.tls.TlsFiles;
import io.kipimo.gateway.transport.ConnectionBound;
import io.kipimo.gateway.trust.FleetSecret;
import io.kipimo.gateway.trust.Trust;
import io.kipimo.http.BufferBudget;
import io.kipimo.http.Descriptors;
import io.kipimo.schemas.document.InvalidDocumentException;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import io.kipimo.sdk.internal.control.Control;
import io.kipimo.sdk.internal.net.Address;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State that all requests of a listener share. Thread-safe. */
public final class Route {
    private static final Logger LOG = LoggerFactory.getLogger(Route.class);

    private final GatewayConfig gateway;
    private final ListenerConfig config;
    private final Control control;
    private final QueryRecorder recorder;
    private final SharedArbiter arbitration;
    private final LocalLimit limit;
    private final RouteCounts counts;
    private final ReplicaAnswers replicas;
    private final ConnectionBound callers;
    private final FleetSecret secret;
    private final Trust trust;
    private final TlsFiles tls;
    private final TlsFaults tlsFaults;
    private final ServerReporter front;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicLong arrivals = new AtomicLong();
    private final Replays replays;
    private final BufferBudget buffers;
    private final Optional<IndexStates> indexes;
    private final Optional<EngineCount> engineCount;

    /** Headers of the newest query; null: none. */
    private volatile MultiMap newestHeaders;

    private volatile boolean draining;

    /** Receives the queries to replay. */
    public interface Replays {
        /** Reserves room for a degraded, sampled query. After true, the caller must offer the query later. */
        boolean keep(Route route, ReplayRequest request);

        /** Offers a query with a reservation, once no late response is expected any more. */
        void offer(Route route, ReplayRequest request);

        /** Reports how long an answer took. */
        void answered(Route route, long micros);
    }

    /** @throws InvalidDocumentException if a certificate file cannot be used */
    public Route(
            GatewayConfig gateway,
            ListenerConfig config,
            Control control,
            QueryRecorder recorder,
            Replays replays,
            BufferBudget buffers,
            FleetSecret secret) {
        this.gateway = gateway;
        this.config = config;
        this.counts = new RouteCounts(config.name());
        this.replicas = new ReplicaAnswers(config, System::currentTimeMillis);
        this.control = control;
        this.recorder = recorder;
        this.replays = replays;
        this.buffers = buffers;
        this.secret = secret;
        this.trust = new Trust(gateway, config, secret, counts);
        this.tls = new TlsFiles(config);
        this.tlsFaults = new TlsFaults(config, counts);
        this.indexes = config.index().map(IndexStates::new);
        this.engineCount = config.counter().map(EngineCount::new);
        List<ServerReporter> servers = new ArrayList<>();
        int tokens = config.arbitration().policy() == CopyPolicy.TAD
                ? config.arbitration().tokens()
                : 0;
        for (Address server : config.servers()) {
            servers.add(control.reporter(ServerIdentity.server(
                            gateway.service(), config.tier(), config.name(), server.toString(), config.cores())
                    .withTokens(tokens)));
        }
        arbitration = new SharedArbiter(config.arbitration(), servers, System::nanoTime);
        front = control.reporter(
                ServerIdentity.arbiter(gateway.service(), config.tier(), config.name(), gateway.server()));
        int wanted = config.clients().connections();
        long all = gateway.listeners().stream()
                .mapToLong(l -> l.clients().connections())
                .sum();
        callers = new ConnectionBound(ConnectionBound.share(wanted, all, Descriptors.forCallers()));
        if (callers.most() < wanted) {
            LOG.info(
                    "{}: at most {} instead of {} connections of callers: all listeners together get"
                            + " 40 % of the file descriptors (ulimit -Hn)",
                    config.name(), callers.most(), wanted);
        }
        limit = new LocalLimit(
                config.name(), config.limit(), List.copyOf(gateway.classes().keySet()));
    }

    public GatewayConfig gateway() {
        return gateway;
    }

    public ListenerConfig config() {
        return config;
    }

    public Control control() {
        return control;
    }

    public QueryRecorder recorder() {
        return recorder;
    }

    public SharedArbiter arbitration() {
        return arbitration;
    }

    public LocalLimit limit() {
        return limit;
    }

    public RouteCounts counts() {
        return counts;
    }

    /** Comparisons of the servers' answers. */
    public ReplicaAnswers replicas() {
        return replicas;
    }

    /** Facts about the index that a query asks. From now on, the index is read. */
    IndexFacts index(String target, MultiMap headers) {
        newestHeaders = headers;
        return indexes.map(all -> all.asked(target, headers, System.nanoTime())).orElse(IndexFacts.NOT_ASKED);
    }

    /** Facts about the indexes that queries ask; empty: indexes are not read. */
    public Optional<IndexStates> indexes() {
        return indexes;
    }

    /** Comparison with the engine's own count of queries; empty: the engine has none. */
    public Optional<EngineCount> engineCount() {
        return engineCount;
    }

    /** Headers of the newest query, as they may identify its caller; empty: there was none. */
    public Optional<MultiMap> newestHeaders() {
        return Optional.ofNullable(newestHeaders);
    }

    /** Limit of the callers' connections, and their number. */
    public ConnectionBound callers() {
        return callers;
    }

    FleetSecret secret() {
        return secret;
    }

    Trust trust() {
        return trust;
    }

    /** Certificate files of the listener. */
    public TlsFiles tls() {
        return tls;
    }

    TlsFaults tlsFaults() {
        return tlsFaults;
    }

    ServerReporter front() {
        return front;
    }

    /**
     * The budget of bytes that all listeners share for the bodies that they keep: of repeatable requests, of incomplete
     * responses, and of writes to the memo cache. A body without room is passed on and not kept.
     */
    BufferBudget buffers() {
        return buffers;
    }

    Replays replays() {
        return replays;
    }

    /** Whether degraded queries of this front are run again. */
    public boolean isReplayed() {
        return config.engine().isPresent()
                ? config.runsAgain()
                : gateway.record().replay();
    }

    boolean is(Role role) {
        return config.role() == role;
    }

    void entered() {
        underWay.incrementAndGet();
        arrivals.incrementAndGet();
    }

    void left() {
        underWay.decrementAndGet();
    }

    /** Requests without a response so far. */
    public int underWay() {
        return underWay.get();
    }

    /** Requests since the start. */
    public long arrivals() {
        return arrivals.get();
    }

    /** Makes each caller's connection close after its next response. */
    public void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }
}
