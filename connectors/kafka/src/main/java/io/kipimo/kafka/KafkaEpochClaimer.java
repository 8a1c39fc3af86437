package io.kipimo.kafka;

import io.kipimo.operators.control.EpochClaimer;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.EpochClaim;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Claims epochs from Kafka: it writes a claim record, whose offset plus 1 is the epoch. Offsets of a partition only
 * grow, also through failovers. Clocks and restarted stores do not guarantee that.
 */
public record KafkaEpochClaimer(KafkaSettings kafka) implements EpochClaimer {
    /** Partition of all claims, since offsets are comparable within one partition only. */
    private static final int PARTITION = 0;

    private static final int PATIENCE_MILLIS = 30_000;

    @Override
    public long claim(String controller, String claimant, long nowMillis) throws Exception {
        Map<String, Object> properties = kafka.forProducer();
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MILLIS);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS / 3);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
        String key = controller + '/' + claimant;
        byte[] claim = Codecs.EPOCH_CLAIM.encode(new EpochClaim(controller, claimant, nowMillis));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            return producer.send(new ProducerRecord<>(
                                    kafka.name(Topic.EPOCHS), PARTITION, key.getBytes(StandardCharsets.UTF_8), claim))
                            .get()
                            .offset()
                    + 1;
        }
    }
}
