package io.kipimo.core.replication;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.core.tails.ServerCapacity;
import io.kipimo.core.tails.TokenCapacity;
import java.util.Optional;

/**
 * Measurements of one tier in a window.
 *
 * @param servers M, V and T
 * @param demandVariation coefficient of variation of the requests' demands; 0: unknown
 * @param tokens empty without token arbitration
 * @param requestsPerSecond requests to the tier's arbiter, before it copied them
 * @param connectionsPerSecond connections, likewise
 * @param requestLatency from the arbiter's receipt to the first response; must not change
 * @param copyLatency of single copies, from dispatch to completion; must not change
 */
public record TierReading(
        ServerCapacity servers,
        double demandVariation,
        Optional<TokenCapacity> tokens,
        double requestsPerSecond,
        double connectionsPerSecond,
        LatencySketch requestLatency,
        LatencySketch copyLatency) {
    public TierReading {
        TierLoad.atLeast0("demandVariation", demandVariation);
        TierLoad.atLeast0("requestsPerSecond", requestsPerSecond);
        TierLoad.atLeast0("connectionsPerSecond", connectionsPerSecond);
    }

    /** This reading with another rate of requests, and connections in proportion. */
    TierReading withRequests(double perSecond) {
        return new TierReading(
                servers,
                demandVariation,
                tokens,
                perSecond,
                requestsPerSecond == 0 ? connectionsPerSecond : connectionsPerSecond * perSecond / requestsPerSecond,
                requestLatency,
                copyLatency);
    }

    /**
     * The load without replication above.
     *
     * @param amplification amplification during the window, at least 1
     */
    TierLoad withoutReplication(double amplification) {
        return new TierLoad(servers, tokens, requestsPerSecond / amplification, connectionsPerSecond / amplification);
    }
}
