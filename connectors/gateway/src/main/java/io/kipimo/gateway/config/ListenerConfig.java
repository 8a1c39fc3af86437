package io.kipimo.gateway.config;

import io.kipimo.sdk.internal.net.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A listening address and the servers behind it.
 *
 * @param name unique; the component's name in measurements
 * @param listen port 0: any free port
 * @param tier name in replication decisions and observations
 * @param cores cores of each server; 0: unknown
 * @param classHeader header with the class of a request
 * @param defaultClass class of requests without a configured class
 * @param admits whether requests of sheddable classes are shed at the fraction in force
 * @param memoize whether responses of a component are kept for replays; otherwise replays call it
 *     again
 * @param optional whether a query may be complete without this component
 * @param idempotent methods of requests that may be copied, retried and recorded
 * @param clients limits for callers
 * @param topK number of items in an answer, 0: as in the policy; front listeners only
 * @param deadlineMillis deadline of the front end; 0: unknown
 * @param items empty: responses are not parsed
 * @param trustedCallers callers that may set trace ids and classes
 */
public record ListenerConfig(
        String name,
        Role role,
        Address listen,
        List<Address> servers,
        String tier,
        int cores,
        String classHeader,
        String defaultClass,
        boolean admits,
        boolean memoize,
        boolean optional,
        Set<String> idempotent,
        ArbitrationConfig arbitration,
        LimitConfig limit,
        TimeoutConfig timeouts,
        ClientConfig clients,
        int topK,
        int deadlineMillis,
        Optional<ItemsConfig> items,
        List<AddressRange> trustedCallers) {
    public ListenerConfig {
        servers = List.copyOf(servers);
        idempotent = Set.copyOf(idempotent);
        trustedCallers = List.copyOf(trustedCallers);
    }

    /** Whether every query of the gateway's front listeners must invoke it. */
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
        return new ListenerConfig(
                name,
                role,
                listen,
                servers,
                tier,
                cores,
                classHeader,
                defaultClass,
                admits,
                memoizes,
                optional,
                idempotent,
                arbitration,
                limit,
                timeouts,
                clients,
                topK,
                deadlineMillis,
                items,
                callers);
    }
}
