package io.kipimo.bench.quality;

import io.kipimo.bench.machine.ThroughputComparison;
import io.kipimo.bench.machine.TopicDrain;
import io.kipimo.bench.workload.RecordedWorkload;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Digest of a subject's measurements. Subjects with equal digests have measured the same qualities.
 *
 * @param measurements number of measurements, one for each query
 * @param expired number of measurements with a missing result
 * @param qualitySum sum of the first metric; of an interval its upper end
 */
public record Checksum(long measurements, long expired, double qualitySum) {
    private static final Checksum NONE = new Checksum(0, 0, 0);

    private static Checksum take(KafkaSettings kafka) throws Exception {
        AtomicReference<Checksum> sum = new AtomicReference<>(NONE);
        TopicDrain.drain(kafka, Topic.QUALITY, Codecs.MEASUREMENT, m -> sum.getAndUpdate(before -> before.plus(m)));
        return sum.get();
    }

    /** Compares the topic of measurements with the truth, and empties the topic. */
    public static ThroughputComparison.RepetitionCheck against(KafkaSettings kafka, RecordedWorkload recorded) {
        return () -> Optional.of(take(kafka))
                .filter(sum -> !sum.agreesWith(recorded))
                .map(Checksum::toString);
    }

    /** Compares with the truth. It tolerates the rounding errors that another order of additions causes. */
    private boolean agreesWith(RecordedWorkload recorded) {
        double expected = recorded.qualitySum();
        return measurements == recorded.measurements()
                && Math.abs(qualitySum - expected) <= 1e-9 * Math.max(1, expected);
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
