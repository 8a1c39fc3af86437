package io.kipimo.operators.tails;

import io.kipimo.core.tails.TailScope;
import io.kipimo.schemas.tails.ServerObservation;

/** An observation, and where in its topic it was found. */
public record ReceivedObservation(ServerObservation observation, int partition, long offset) {
    /** Of the server, or of the single arbiter. */
    public String key() {
        return TailScope.of(observation).key();
    }

    /** Who sent it: service/tier/component/server. */
    public String server() {
        return observation.service()
                + '/'
                + observation.tier()
                + '/'
                + observation.component()
                + '/'
                + observation.server();
    }

    public long eventTimeMillis() {
        return observation.endMillis();
    }
}
