package io.kipimo.kafka;

import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.schemas.field.WithBuilder;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of a job for reading Kafka.
 *
 * @param groupId consumer group under which offsets are committed
 * @param outOfOrderness greatest delay of a record behind younger ones of its partition
 * @param idleness time without a usable record after which a partition that is read to its end no longer holds back the
 *     watermark
 * @param futureTolerance records stamped further ahead of the clock than this are dead letters
 * @param bounded whether to stop at the ends that the topics have when the source starts
 */
@WithBuilder
public record SourceSettings(
        String groupId, Duration outOfOrderness, Duration idleness, Duration futureTolerance, boolean bounded)
        implements SourceSettingsBuilder.With, Serializable {
    public static final Duration DEFAULT_OUT_OF_ORDERNESS = Duration.ofSeconds(2);
    public static final Duration DEFAULT_IDLENESS = Duration.ofSeconds(10);
    public static final Duration DEFAULT_FUTURE_TOLERANCE = Duration.ofSeconds(60);

    /**
     * @throws IllegalArgumentException if settings are out of range; the message lists each with its value and what is
     *     allowed
     */
    public SourceSettings {
        List<String> problems = new ArrayList<>();
        if (groupId == null || groupId.isBlank()) {
            problems.add("groupId is empty; allowed: the job's name");
        }
        if (outOfOrderness.isNegative()) {
            problems.add("outOfOrderness is " + outOfOrderness + "; allowed: zero or more");
        }
        if (idleness.isNegative() || idleness.isZero()) {
            problems.add("idleness is " + idleness + "; allowed: more than zero");
        }
        if (futureTolerance.isNegative()) {
            problems.add("futureTolerance is " + futureTolerance + "; allowed: zero or more");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    /** Default settings, unbounded. */
    public static SourceSettings of(String groupId) {
        return new SourceSettings(groupId, DEFAULT_OUT_OF_ORDERNESS, DEFAULT_IDLENESS, DEFAULT_FUTURE_TOLERANCE, false);
    }

    /**
     * Returns the delays and silences that the job tolerates in the log. The tolerated silence is only four fifths of
     * {@code idleness}. A reader measures idleness from the time when it has read the last record, which is a little
     * after the record was appended.
     */
    public PartitionTime.Tolerance tolerance() {
        return new PartitionTime.Tolerance(outOfOrderness.toMillis(), idleness.toMillis() * 4 / 5);
    }
}
