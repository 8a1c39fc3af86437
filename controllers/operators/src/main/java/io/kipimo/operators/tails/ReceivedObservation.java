package io.kipimo.operators.tails;

import io.kipimo.core.tails.TailScope;
import io.kipimo.schemas.tails.ServerObservation;

/**
 * An observation of a server, with its position in the topic.
 *
 * @param recordKey key of the record in the topic; empty: none
 */
public record ReceivedObservation(ServerObservation observation, int partition, long offset, byte[] recordKey) {
    /** Returns the key of the sender, which is a server or a single arbiter. */
    public String key() {
        return TailScope.of(observation).key();
    }

    /** The sender: service/tier/component/server. */
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
