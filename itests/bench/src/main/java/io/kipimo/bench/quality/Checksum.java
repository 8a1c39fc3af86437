package io.kipimo.bench.quality;

import io.kipimo.bench.machine.TopicDrain;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What a side wrote, in two figures; sides that agree in them have measured the same.
 *
 * @param measurements one a query
 * @param expired those of them that something was missing from
 * @param qualitySum of the first metric, upper ends of the intervals
 */
public record Checksum(long measurements, long expired, double qualitySum) {
    static final Checksum NONE = new Checksum(0, 0, 0);

    /** Reads what is in the topic of measurements, and empties it. */
    public static Checksum take(KafkaSettings kafka) throws Exception {
        AtomicReference<Checksum> sum = new AtomicReference<>(NONE);
        TopicDrain.drain(
                kafka,
                Topic.QUALITY,
                Codecs.MEASUREMENT,
                m -> sum.getAndUpdate(before -> before.plus(m)));
        return sum.get();
    }

    /** Whether both say the same, but for the order of additions. */
    public boolean agreesWith(long otherMeasurements, double otherQualitySum) {
        return measurements == otherMeasurements
                && Math.abs(qualitySum - otherQualitySum) <= 1e-9 * Math.max(1, otherQualitySum);
    }

    private Checksum plus(Measurement m) {
        if (!m.completeness().hasQuality()) {
            return new Checksum(measurements + 1, expired, qualitySum);
        }
        return new Checksum(
                measurements + 1,
                expired + (m.completeness() == Completeness.EXPIRED ? 1 : 0),
                qualitySum + m.scores().get(0).high());
    }
}
