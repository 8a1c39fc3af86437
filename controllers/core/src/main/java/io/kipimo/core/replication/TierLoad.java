package io.kipimo.core.replication;

import io.kipimo.core.tails.capacity.ServerCapacity;
import io.kipimo.core.tails.capacity.TokenCapacity;
import java.util.Optional;

/**
 * What a tier can carry and what it has to.
 *
 * @param tokens empty without token arbitration
 * @param requestsPerSecond that would come to the tier's arbiter if the tiers above sent one copy
 * @param connectionsPerSecond likewise
 */
public record TierLoad(
        ServerCapacity servers,
        Optional<TokenCapacity> tokens,
        double requestsPerSecond,
        double connectionsPerSecond) {
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
