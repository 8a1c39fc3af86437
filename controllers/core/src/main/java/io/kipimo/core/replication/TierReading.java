package io.kipimo.core.replication;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.core.tails.capacity.ServerCapacity;
import io.kipimo.core.tails.capacity.TokenCapacity;
import java.util.Optional;

/**
 * What was seen of one tier in a window.
 *
 * @param servers M, V and T
 * @param demandVariation coefficient of variation of the requests' demands; 0: unknown
 * @param tokens empty without token arbitration
 * @param requestsPerSecond that came to the tier's arbiter, before they were copied
 * @param connectionsPerSecond likewise
 * @param requestLatency from the arbiter's receipt to the first response; not changed any more
 * @param copyLatency of single copies, from dispatch to completion; not changed any more
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

    /** With so many requests, and connections in proportion. */
    TierReading withRequests(double perSecond) {
        return new TierReading(
                servers,
                demandVariation,
                tokens,
                perSecond,
                requestsPerSecond == 0
                        ? connectionsPerSecond
                        : connectionsPerSecond * perSecond / requestsPerSecond,
                requestLatency,
                copyLatency);
    }

    /**
     * The load without replication above.
     *
     * @param amplification under which this was seen, at least 1
     */
    TierLoad withoutReplication(double amplification) {
        return new TierLoad(
                servers,
                tokens,
                requestsPerSecond / amplification,
                connectionsPerSecond / amplification);
    }
}
