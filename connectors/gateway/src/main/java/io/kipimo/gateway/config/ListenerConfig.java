package io.kipimo.gateway.config;

import static io.kipimo.gateway.config.Role.COMPONENT;
import static io.kipimo.gateway.config.Role.FRONT;
import static io.kipimo.schemas.field.Unit.Of.BYTES;
import static io.kipimo.schemas.field.Unit.Of.MILLIS;

import io.kipimo.core.arbitration.CopyBudget;
import io.kipimo.schemas.field.Key;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Unit;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.internal.net.AddressRange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A listening address and the servers behind it.
 *
 * @param name unique; the component's name in measurements
 * @param listen port 0: any free port
 * @param tls TLS towards callers; empty: none
 * @param serverTls TLS towards servers; empty: none
 * @param tier name in replication decisions and observations
 * @param cores cores of each server; 0: unknown
 * @param traceHeader header with the caller's own query id; empty: {@code traceparent} only
 * @param classHeader header with the class of a request
 * @param variantHeader header of a response with the variant of the server that answered; empty: none
 * @param defaultClass class of requests without a configured class
 * @param admits whether requests of sheddable classes are shed at the fraction in force
 * @param memoize whether responses of a component are kept for replays; otherwise replays call it again
 * @param memoWithout parameters of a query string or form that may differ between two equal requests to a component;
 *     the look-up of a kept response ignores them
 * @param optional whether a query may be answered without asking this component
 * @param engine search engine whose answers show whether they are whole; empty: none
 * @param only paths of requests that may be copied, tried again and recorded; empty: {@code idempotent} decides
 * @param idempotent methods of requests that may be copied, tried again and recorded, if {@code only} is empty
 * @param clients limits for callers
 * @param responseHeadBytes greatest size of the headers of a server's response
 * @param topK number of items in an answer of a front; 0: the policy says it
 * @param deadlineMillis time within which the front end answers; 0: unknown
 * @param items empty: responses are not parsed
 * @param replay how queries of the engine are run again; empty without an engine
 * @param tell whether a header tells callers if an answer is whole
 * @param http2 whether callers may use HTTP/2, and gRPC calls reach servers by HTTP/2; without TLS, callers must use it
 * @param readsIndex whether the engine's API is asked for the settings of indexes; otherwise nothing is known to be
 *     hidden
 * @param trustedCallers callers that may name trace ids and classes
 * @param fanOut how queries may ask fewer components; empty: they ask all
 * @param notAsked what the listener answers if a query does not ask it; empty: the component is asked all the same
 */
@WithBuilder
public record ListenerConfig(
        String name,
        Role role,
        Address listen,
        List<Address> servers,
        Optional<CallerTls> tls,
        Optional<ServerTls> serverTls,
        String tier,
        int cores,
        String traceHeader,
        String classHeader,
        @OfRole(FRONT) String variantHeader,
        String defaultClass,
        boolean admits,
        boolean memoize,
        Set<String> memoWithout,
        @OfRole(COMPONENT) boolean optional,
        @OfRole(FRONT) Optional<Engine> engine,
        List<PathRule> only,
        Set<String> idempotent,
        Dispatch arbitration,
        ConcurrencyLimit limit,
        Timeouts timeouts,
        CallerLimits clients,
        int responseHeadBytes,
        int topK,
        int deadlineMillis,
        Optional<ItemsConfig> items,
        Optional<ReplayConfig> replay,
        @OfRole(FRONT) boolean tell,
        boolean http2,
        boolean readsIndex,
        List<AddressRange> trustedCallers,
        @OfRole(FRONT) Optional<FanOutConfig> fanOut,
        @OfRole(COMPONENT) Optional<EmptyResponse> notAsked) {
    /** Methods of searches; those with a body are sent with POST. */
    private static final Set<String> QUERY_METHODS = Set.of("GET", "POST");

    /**
     * Dispatch of requests to servers.
     *
     * @param policy chooses the servers of copies
     * @param tokens C, number of tokens of each server; policy TAD only
     * @param mostCopies greatest number of copies of a request, whatever the decision; 1: no further copy is sent
     * @param hedgeMillis longest wait for the first response before hedges are sent; if the 95th percentile of the
     *     recent response times of the quickest other server is lower, that counts instead; 0: copies are sent at once
     * @param hedgeShare most hedges, as a share of the requests
     * @param cancelLosers whether copies that lost are cancelled
     * @param compareMillis wait before two servers are asked again because their answers to a sampled query differed;
     *     0: answers are not compared
     * @param retries number of retries of idempotent requests whose server did not answer
     */
    public record Dispatch(
            CopyPolicy policy,
            @Range(least = 1, most = 1e6) int tokens,
            @Range(least = 1, most = 1_000) int mostCopies,

            @Key("hedge-after") @Unit(MILLIS) @Range(most = Range.HOUR_MILLIS)
            long hedgeMillis,

            @Range(most = 1) double hedgeShare,
            boolean cancelLosers,

            @Key("compare-after") @Unit(MILLIS) @Range(most = Range.HOUR_MILLIS)
            long compareMillis,

            @Range(most = 3) int retries) {
        public static final Dispatch DEFAULT =
                new Dispatch(CopyPolicy.ROUND_ROBIN, 64, 8, 0, CopyBudget.DEFAULT_SHARE, false, 0, 1);
    }

    /**
     * Limit of requests in progress, learned from their latency.
     *
     * @param enabled whether there is a limit
     * @param initial limit before the first measurement
     * @param least lower bound of the limit
     * @param most upper bound of the limit
     */
    public record ConcurrencyLimit(
            boolean enabled,
            @Range(least = 1, most = 1e6) int initial,
            @Range(least = 1, most = 1e6) int least,
            @Range(least = 1, most = 1e6) int most) {}

    /**
     * Time limits.
     *
     * @param connectMillis limit of a connection attempt to a server
     * @param responseMillis limit of the time from the request to the head of the response
     * @param idleMillis time after which an idle connection is closed
     */
    public record Timeouts(
            @Unit(MILLIS) @Range(least = 1, most = 60_000) int connectMillis,

            @Unit(MILLIS) @Range(least = 1, most = Range.HOUR_MILLIS)
            long responseMillis,

            @Unit(MILLIS) @Range(least = 1_000, most = Range.HOUR_MILLIS)
            long idleMillis) {
        public static final Timeouts DEFAULT = new Timeouts(1_000, 30_000, 60_000);
    }

    /**
     * Limits for callers.
     *
     * @param headMillis time limit for a request's head, from its first byte or from the start of the connection
     * @param bodyMillis interval over which the transfer rate of request and response bodies is checked
     * @param leastBytesPerSecond least rate of a body that the gateway waits for, in each {@code bodyMillis}
     * @param headBytes greatest size of a request's headers
     * @param lineBytes greatest size of a request's first line
     * @param connections greatest number of open connections
     */
    public record CallerLimits(
            @Unit(MILLIS) @Range(least = 10, most = Range.HOUR_MILLIS)
            long headMillis,

            @Unit(MILLIS) @Range(least = 10, most = Range.HOUR_MILLIS)
            long bodyMillis,

            @Key("least-rate") @Unit(BYTES) @Range(least = 1, most = 1 << 30)
            long leastBytesPerSecond,

            @Key("largest-head") @Unit(BYTES) @Range(least = 1 << 10, most = 1 << 20)
            int headBytes,

            @Key("largest-line") @Unit(BYTES) @Range(least = 1 << 10, most = 1 << 20)
            int lineBytes,

            @Range(least = 1, most = 1e6) int connections) {
        public static final CallerLimits DEFAULT =
                new CallerLimits(10_000, 10_000, 1 << 10, 16 << 10, 64 << 10, 10_000);

        /**
         * Whether a body moved too few bytes in an interval. Bytes above the least rate in earlier intervals do not
         * count.
         */
        public boolean isTooSlow(long millis, long bytes) {
            return bytes * 1_000 < millis * leastBytesPerSecond;
        }
    }

    /**
     * TLS towards callers.
     *
     * @param certificates a caller that names a host (SNI) gets the certificate with that name, other callers get the
     *     first
     * @param clientAuthorities PEM file with the authorities of callers' certificates; empty: callers need none
     */
    public record CallerTls(List<CertificateFiles> certificates, String clientAuthorities) {}

    /**
     * TLS towards servers.
     *
     * @param authorities PEM file with the authorities of servers' certificates; empty: the JVM's
     * @param certificate that the gateway shows to servers; empty: none
     * @param name that servers' certificates must have; empty: the host of the address
     * @param verify false: every certificate is accepted
     */
    public record ServerTls(String authorities, Optional<CertificateFiles> certificate, String name, boolean verify) {}

    public ListenerConfig {
        servers = List.copyOf(servers);
        only = List.copyOf(only);
        idempotent = Set.copyOf(idempotent);
        memoWithout = Set.copyOf(memoWithout);
        trustedCallers = List.copyOf(trustedCallers);
    }

    /**
     * Whether a request may be sent more than once.
     *
     * @param target path and query
     */
    public boolean mayRepeat(String method, String target) {
        return only.isEmpty()
                ? idempotent.contains(method)
                : QUERY_METHODS.contains(method) && only.stream().anyMatch(rule -> rule.matches(target));
    }

    /** How the engine's API is asked for the settings of indexes; empty: it is not asked. */
    public Optional<IndexConfig> index() {
        return readsIndex ? engine.flatMap(Engine::index) : Optional.empty();
    }

    /** Descriptors of the engine's gRPC calls; empty: it is asked in JSON. */
    public Optional<String> grpc() {
        return engine.flatMap(Engine::grpc);
    }

    /** Whether callers can use HTTP/2 only, never HTTP/1.1. */
    public boolean isOnlyHttp2() {
        return http2 && tls.isEmpty();
    }

    /** The engine's own counter of queries; empty: there is none. */
    public Optional<CounterConfig> counter() {
        return engine.flatMap(Engine::counter);
    }

    /** Whether sampled queries of an engine are run again. */
    public boolean runsAgain() {
        return replay.filter(r -> r.when() != ReplayConfig.When.NEVER).isPresent();
    }

    /** Whether every query of the gateway's front listeners asks this component. */
    public boolean isAskedByAll() {
        return role == COMPONENT && !optional;
    }

    /** A copy that keeps responses for replays if {@code whether} is true. */
    public ListenerConfig memoizing(boolean whether) {
        return ListenerConfigBuilder.builder(this).memoize(whether).build();
    }

    /** A copy that also trusts these callers. */
    ListenerConfig trusting(List<AddressRange> callers) {
        return ListenerConfigBuilder.builder(this)
                .trustedCallers(
                        Stream.concat(trustedCallers.stream(), callers.stream()).toList())
                .build();
    }
}
