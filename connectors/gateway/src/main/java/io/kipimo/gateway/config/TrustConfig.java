package io.kipimo.gateway.config;

import java.util.List;
import java.util.Locale;

/**
 * How callers are distinguished, and the secret of the fleet.
 *
 * @param secretFile file with the secret that the fleet's gateways share; empty: a random secret of this process
 * @param credentialHeaders headers that identify the caller, in lower case
 */
public record TrustConfig(String secretFile, List<String> credentialHeaders) {
    public static final TrustConfig DEFAULT = new TrustConfig("", List.of("authorization", "cookie"));

    public TrustConfig {
        credentialHeaders = credentialHeaders.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .distinct()
                .sorted()
                .toList();
    }
}
