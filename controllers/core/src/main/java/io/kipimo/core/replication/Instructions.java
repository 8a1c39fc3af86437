package io.kipimo.core.replication;

import java.util.Optional;

/**
 * What people ask of the {@link Replicator}.
 *
 * @param service scope of its decisions
 * @param killSwitch no replication, at once
 * @param override factors that a person wants; not bound by the feasible set, but by the servers
 * @param shadow decide, but change nothing
 * @param configVersion version of the policy
 */
public record Instructions(
        String service,
        ReplicationSettings settings,
        boolean killSwitch,
        Optional<Factors> override,
        boolean shadow,
        long configVersion) {
    /** To search within these settings, without an override. */
    public Instructions(String service, ReplicationSettings settings) {
        this(service, settings, false, Optional.empty(), false, 0);
    }
}
