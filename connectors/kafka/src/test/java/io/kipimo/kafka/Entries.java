package io.kipimo.kafka;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.MeasurementBill;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Sample Kafka records. */
final class Entries {
    static final String TOPIC = "kipimo.observations";
    static final long NOW = 1_700_000_000_000L;

    private Entries() {}

    static Observation observation(long secondMillis) {
        return ObservationBuilder.builder()
                .service("search")
                .tier("front")
                .server("s1")
                .queryClass("high")
                .secondMillis(secondMillis)
                .offered(3)
                .answered(3)
                .bill(MeasurementBill.NOTHING)
                .admittedFraction(1)
                .build();
    }

    static ConsumerRecord<byte[], byte[]> good(long secondMillis) {
        return of(TOPIC, Codecs.OBSERVATION.encode(observation(secondMillis)));
    }

    static ConsumerRecord<byte[], byte[]> of(String topic, byte[] value) {
        return new ConsumerRecord<>(topic, 3, 42, new byte[] {7}, value);
    }
}
