package io.kipimo.core.replication;

import java.util.List;
import java.util.Optional;

/**
 * Instructions of the policy to the {@link Replicator}.
 *
 * @param service service that the decisions are for
 * @param tiers names of the tiers, in the order in which a request passes them
 * @param killSwitch whether to end all replication at once
 * @param override factors that a person set; bounded by the servers, not by the feasible set
 * @param shadow whether decisions are published but not applied
 * @param configVersion version of the policy
 */
public record Instructions(
        String service,
        List<String> tiers,
        ReplicationSettings settings,
        boolean killSwitch,
        Optional<Factors> override,
        boolean shadow,
        long configVersion) {
    /** Instructions to search within these settings, without an override. */
    public Instructions(String service, List<String> tiers, ReplicationSettings settings) {
        this(service, tiers, settings, false, Optional.empty(), false, 0);
    }
}
