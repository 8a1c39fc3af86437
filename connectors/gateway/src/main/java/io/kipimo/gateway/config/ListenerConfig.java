package io.kipimo.gateway.config;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.internal.net.AddressRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A listening address and the servers behind it.
 *
 * @param name unique; the component's name in measurements
 * @param listen port 0: any free port
 * @param tls towards callers; empty: none
 * @param serverTls towards servers; empty: none
 * @param tier name in replication decisions and observations
 * @param cores cores of each server; 0: unknown
 * @param traceHeader header with the caller's own query id; empty: {@code traceparent} only
 * @param classHeader header with the class of a request
 * @param variantHeader header of a response with the variant of the server that answered; of a front; empty: none
 * @param defaultClass class of requests without a configured class
 * @param admits whether requests of sheddable classes are shed at the fraction in force
 * @param memoize whether responses of a component are kept for replays; otherwise replays call it again
 * @param memoWithout parameters of a query string or form that differ each time that a component is asked the same, so
 *     that they say nothing of which kept response fits
 * @param optional whether a query may be answered without asking this component
 * @param engine whose answers say themselves whether they are whole; of a front
 * @param only paths of requests that may be copied, tried again and recorded; empty: {@code idempotent} says it
 * @param idempotent methods of such requests
 * @param clients limits for callers
 * @param topK items that an answer has, 0: as the policy says; of a front
 * @param deadlineMillis in which the front end answers; 0: not known
 * @param items empty: responses are not looked into
 * @param replay how queries of the engine are run again; of a listener with an engine
 * @param trustedCallers callers that may name trace ids and classes
 * @param fanOut how queries may ask fewer components; of a front; empty: they ask all
 * @param notAsked what the listener of a component answers if a query does not ask it; empty: the component is asked
 *     all the same
 */
@WithBuilder
public record ListenerConfig(
        String name,
        Role role,
        Address listen,
        List<Address> servers,
        Optional<TlsConfig> tls,
        Optional<ServerTlsConfig> serverTls,
        String tier,
        int cores,
        String traceHeader,
        String classHeader,
        String variantHeader,
        String defaultClass,
        boolean admits,
        boolean memoize,
        Set<String> memoWithout,
        boolean optional,
        Optional<Engine> engine,
        List<PathRule> only,
        Set<String> idempotent,
        ArbitrationConfig arbitration,
        LimitConfig limit,
        TimeoutConfig timeouts,
        ClientConfig clients,
        int topK,
        int deadlineMillis,
        Optional<ItemsConfig> items,
        Optional<ReplayConfig> replay,
        List<AddressRange> trustedCallers,
        Optional<FanOutConfig> fanOut,
        Optional<EmptyResponse> notAsked) {
    /** Searches that have a body are sent with POST. */
    private static final Set<String> QUERY_METHODS = Set.of("GET", "POST");

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

    /** Whether sampled queries of an engine are run again. */
    public boolean runsAgain() {
        return replay.filter(r -> r.when() != ReplayConfig.When.NEVER).isPresent();
    }

    /** Whether every query of the gateway's front listeners asks it. */
    public boolean isAskedByAll() {
        return role == Role.COMPONENT && !optional;
    }

    /** A copy that keeps responses for replays, or does not. */
    public ListenerConfig memoizing(boolean whether) {
        return with(whether, trustedCallers);
    }

    /** A copy that also trusts these callers. */
    ListenerConfig trusting(List<AddressRange> callers) {
        List<AddressRange> all = new ArrayList<>(trustedCallers);
        all.addAll(callers);
        return with(memoize, all);
    }

    private ListenerConfig with(boolean memoizes, List<AddressRange> callers) {
        return ListenerConfigBuilder.builder(this)
                .memoize(memoizes)
                .trustedCallers(callers)
                .build();
    }
}
