package io.kipimo.gateway.config;

import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A gateway.
 *
 * @param service name in policies and decisions
 * @param server name of this instance
 * @param kafka empty: the gateway gets no decisions and emits nothing, but serves requests
 * @param threads event loops
 * @param admin where health and metrics are
 * @param drainMillis that requests under way are waited for when the gateway is stopped
 * @param bufferBytes of bodies that are kept at once, of all listeners
 * @param classes the most important one first
 * @param samplingRate of queries until the first decision, 0..1
 * @param profilingShare of sampled queries that nothing was missing in, 0..1
 */
public record GatewayConfig(
        String service,
        String server,
        Optional<KafkaSettings> kafka,
        int threads,
        Address admin,
        long drainMillis,
        long bufferBytes,
        Map<String, ClassDefaults> classes,
        double samplingRate,
        double profilingShare,
        RecordConfig record,
        TrustConfig trust,
        List<ListenerConfig> listeners) {
    public GatewayConfig {
        classes = Collections.unmodifiableMap(new LinkedHashMap<>(classes));
        listeners = List.copyOf(listeners);
    }

    /** The same with the responses of these components kept for replays, and of no others. */
    public GatewayConfig memoizing(Set<String> components) {
        return with(
                listeners.stream().map(l -> l.memoizing(components.contains(l.name()))).toList());
    }

    /** The same with callers on this machine trusted, too. */
    public GatewayConfig trustingLoopback() {
        return with(listeners.stream().map(l -> l.trusting(AddressRange.LOOPBACK)).toList());
    }

    private GatewayConfig with(List<ListenerConfig> others) {
        return new GatewayConfig(
                service,
                server,
                kafka,
                threads,
                admin,
                drainMillis,
                bufferBytes,
                classes,
                samplingRate,
                profilingShare,
                record,
                trust,
                others);
    }
}
