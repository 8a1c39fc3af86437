package io.kipimo.core.replication;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.core.tails.ServerCapacity;
import io.kipimo.core.tails.TokenCapacity;
import java.util.Optional;

/**
 * Measurements of one tier in a window.
 *
 * @param servers number of servers M, their cores V, and the work T of a request
 * @param demandVariation coefficient of variation of the requests' demands; 0: unknown
 * @param tokens capacity of the tier's tokens; empty without token arbitration
 * @param requestsPerSecond requests to the tier's arbiter, before it copied them
 * @param connectionsPerSecond connections to the tier's arbiter, before it copied them
 * @param requestLatency latency of requests, from the arbiter's receipt to the first response; must not be changed
 * @param copyLatency latency of single copies, from dispatch to completion; must not be changed
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
     * The load as it would be if the tiers above sent one copy each.
     *
     * @param amplification number of copies of a request that the tiers above sent during the window, at least 1
     */
    TierLoad withoutReplication(double amplification) {
        return new TierLoad(servers, tokens, requestsPerSecond / amplification, connectionsPerSecond / amplification);
    }
}
