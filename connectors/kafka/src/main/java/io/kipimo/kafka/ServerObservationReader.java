package io.kipimo.kafka;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.operators.tails.ReceivedObservation;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.tails.ServerObservation;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads servers' observations and checks their sketches, so that malformed sketches become dead letters before merging.
 */
final class ServerObservationReader implements RecordReader<ReceivedObservation> {
    @Override
    public ReceivedObservation read(ConsumerRecord<byte[], byte[]> entry) throws InvalidRecordException {
        ServerObservation observation = Codecs.SERVER_OBSERVATION.decode(entry.value());
        long latencies;
        try {
            latencies = LatencySketch.fromBytes(observation.latencies()).count();
        } catch (IllegalArgumentException e) {
            throw new InvalidRecordException(
                    RejectionReason.INCONSISTENT,
                    "latencies cannot be read (" + e.getMessage() + "); allowed: a LatencySketch's bytes, or none");
        }
        if (latencies != observation.counts().completions()) {
            throw new InvalidRecordException(
                    RejectionReason.INCONSISTENT,
                    "latencies are of "
                            + latencies
                            + " requests; allowed: counts.completions, "
                            + observation.counts().completions());
        }
        return new ReceivedObservation(
                observation, entry.partition(), entry.offset(), ValidatingDeserializationSchema.beginning(entry.key()));
    }
}
