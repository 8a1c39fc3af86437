package io.kipimo.operators.tails;

import io.kipimo.core.tails.TailScope;
import io.kipimo.schemas.tails.ServerObservation;

/**
 * An observation, with its position in the topic.
 *
 * @param recordKey the record's own; empty: none
 */
public record ReceivedObservation(ServerObservation observation, int partition, long offset, byte[] recordKey) {
    /** Key of the server or the single arbiter. */
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
