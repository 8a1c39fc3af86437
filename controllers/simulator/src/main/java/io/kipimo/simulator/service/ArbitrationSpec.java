package io.kipimo.simulator.service;

import io.kipimo.core.arbitration.Arbiter;
import io.kipimo.core.arbitration.ArbiterSettings;
import io.kipimo.core.arbitration.RoundRobin;
import io.kipimo.core.arbitration.ServerChoice;
import io.kipimo.core.arbitration.TokenPool;
import io.kipimo.core.arbitration.TokenSettings;
import java.util.Optional;

/**
 * How the copies of a request get their servers; the product's arbiter decides.
 *
 * @param tokens empty: the servers in turn
 */
public record ArbitrationSpec(Optional<TokenSettings> tokens, ArbiterSettings settings) {
    /** The servers in turn, all copies at once, none cancelled. */
    public static final ArbitrationSpec IN_TURN = new ArbitrationSpec(Optional.empty(), ArbiterSettings.PUBLISHED);

    Arbiter arbiter(int servers) {
        ServerChoice choice = tokens.isPresent() ? new TokenPool(servers, tokens.get()) : new RoundRobin(servers);
        return new Arbiter(choice, settings);
    }
}
