package io.kipimo.gateway.config;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.internal.net.AddressRange;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Configuration of a gateway.
 *
 * @param service its name in policies and decisions
 * @param server name of this gateway instance
 * @param variant release or experiment arm that this gateway serves; empty: none
 * @param kafka connection to Kafka; empty: the gateway gets no decisions and emits nothing, but serves requests
 * @param threads number of event loops
 * @param admin address of health and metrics
 * @param drainMillis how long a stopping gateway waits for requests in progress
 * @param bufferBytes greatest size of all bodies that are kept at the same time, for all listeners
 * @param classes defaults by class, the most important class first
 * @param samplingRate sampling rate until the first decision, 0..1
 * @param profilingShare share of the complete sampled queries whose results are emitted too, 0..1
 */
@WithBuilder
public record GatewayConfig(
        String service,
        String server,
        String variant,
        Optional<KafkaSettings> kafka,
        int threads,
        Address admin,
        long drainMillis,
        long bufferBytes,
        Map<String, ClassDefaults> classes,
        double samplingRate,
        double profilingShare,
        RecordConfig record,
        CallerTrust trust,
        List<ListenerConfig> listeners) {
    /**
     * The headers that distinguish callers, and the secret of the fleet of gateways.
     *
     * @param secretFile file with the secret that the fleet's gateways share; empty: a random secret of this process
     * @param credentialHeaders headers that identify the caller, in lower case
     */
    public record CallerTrust(String secretFile, List<String> credentialHeaders) {
        public static final CallerTrust DEFAULT = new CallerTrust("", List.of("authorization", "cookie"));

        public CallerTrust {
            credentialHeaders = credentialHeaders.stream()
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .distinct()
                    .sorted()
                    .toList();
        }
    }

    public GatewayConfig {
        classes = Collections.unmodifiableMap(new LinkedHashMap<>(classes));
        listeners = List.copyOf(listeners);
    }

    /** Settings of the gateway's connection to Kipimo; empty: it does not connect, as it has no Kafka. */
    public Optional<KipimoConfig> kipimo() {
        return kafka.map(settings -> {
            KipimoConfig.Builder builder = KipimoConfig.builder(service, server, settings)
                    .initialSamplingRate(samplingRate)
                    .profilingShare(profilingShare)
                    .variant(variant);
            classes.forEach(builder::queryClass);
            return builder.build();
        });
    }

    /** A copy in which the responses of these components, and of no others, are kept for replays. */
    public GatewayConfig memoizing(Set<String> components) {
        return with(listeners.stream()
                .map(l -> l.memoizing(components.contains(l.name())))
                .toList());
    }

    /** A copy that also trusts callers on this machine. */
    public GatewayConfig trustingLoopback() {
        return with(
                listeners.stream().map(l -> l.trusting(AddressRange.LOOPBACK)).toList());
    }

    private GatewayConfig with(List<ListenerConfig> others) {
        return GatewayConfigBuilder.builder(this).listeners(others).build();
    }
}
