package io.kipimo.core.replication;

import io.kipimo.core.tails.ServerCapacity;
import io.kipimo.core.tails.TokenCapacity;
import java.util.Optional;

/**
 * Capacity and load of a tier.
 *
 * @param tokens capacity of the tier's tokens; empty without token arbitration
 * @param requestsPerSecond requests to the tier's arbiter, as if the tiers above sent one copy each
 * @param connectionsPerSecond connections to the tier's arbiter, as if the tiers above sent one copy each
 */
public record TierLoad(
        ServerCapacity servers, Optional<TokenCapacity> tokens, double requestsPerSecond, double connectionsPerSecond) {
    public TierLoad {
        atLeast0("requestsPerSecond", requestsPerSecond);
        atLeast0("connectionsPerSecond", connectionsPerSecond);
    }

    static void atLeast0(String name, double value) {
        if (!(value >= 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: finite, >= 0");
        }
    }
}
