package io.kipimo.gateway.config;

import io.kipimo.sdk.internal.net.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One address that requests come to, and the servers that they go to.
 *
 * @param name unique; the component's name in measurements
 * @param listen port 0: any that is free
 * @param tier name in replication decisions and observations
 * @param cores of a server; 0: unknown
 * @param classHeader names the class of a request
 * @param defaultClass of requests that name none, or one that is not configured
 * @param admits whether requests of sheddable classes are shed at the fraction in force
 * @param memoize whether responses of a component are kept for replays; otherwise replays call it
 *     again
 * @param optional whether a query may be answered without asking this component
 * @param idempotent methods of requests that may be copied, tried again and recorded
 * @param clients limits for callers
 * @param topK items that an answer has, 0: as the policy says; of a front
 * @param deadlineMillis in which the front end answers; 0: not known
 * @param items empty: responses are not looked into
 * @param trustedCallers callers that may name trace ids and classes
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

    /** Whether every query of the gateway's front listeners asks it. */
    public boolean isAskedByAll() {
        return role == Role.COMPONENT && !optional;
    }

    /** The same component with its responses kept, or not. */
    public ListenerConfig memoizing(boolean whether) {
        return with(whether, trustedCallers);
    }

    /** The same with these callers trusted, too. */
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
