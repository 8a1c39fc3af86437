package io.kipimo.kafka;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.MeasurementBill;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Sample Kafka records. */
final class Entries {
    static final String TOPIC = "kipimo.observations";
    static final long NOW = 1_700_000_000_000L;

    private Entries() {}

    static Observation observation(long secondMillis) {
        return new Observation(
                "search",
                "front",
                "s1",
                "high",
                secondMillis,
                3,
                0,
                3,
                0,
                List.of(),
                MeasurementBill.NOTHING,
                1);
    }

    static ConsumerRecord<byte[], byte[]> good(long secondMillis) {
        return of(TOPIC, Codecs.OBSERVATION.encode(observation(secondMillis)));
    }

    static ConsumerRecord<byte[], byte[]> of(String topic, byte[] value) {
        return new ConsumerRecord<>(topic, 3, 42, new byte[] {7}, value);
    }
}
