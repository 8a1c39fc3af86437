package io.kipimo.kafka;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a job reads the log.
 *
 * @param groupId under which offsets are committed
 * @param outOfOrderness how much later than a younger record one may come within its partition
 * @param idleness after this long without a usable record a partition no longer holds back the
 *     watermark
 * @param futureTolerance records stamped further ahead of the clock than this are dead letters
 * @param bounded stop at the end that the log has at start
 */
public record SourceSettings(
        String groupId,
        Duration outOfOrderness,
        Duration idleness,
        Duration futureTolerance,
        boolean bounded)
        implements Serializable {
    public static final Duration DEFAULT_OUT_OF_ORDERNESS = Duration.ofSeconds(2);
    public static final Duration DEFAULT_IDLENESS = Duration.ofSeconds(10);
    public static final Duration DEFAULT_FUTURE_TOLERANCE = Duration.ofSeconds(60);

    /**
     * @throws IllegalArgumentException that names every problem: which setting, which value, what
     *     is allowed
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

    /** Defaults, and reading on for ever. */
    public static SourceSettings of(String groupId) {
        return new SourceSettings(
                groupId,
                DEFAULT_OUT_OF_ORDERNESS,
                DEFAULT_IDLENESS,
                DEFAULT_FUTURE_TOLERANCE,
                false);
    }

    public SourceSettings withOutOfOrderness(Duration lag) {
        return new SourceSettings(groupId, lag, idleness, futureTolerance, bounded);
    }

    public SourceSettings withIdleness(Duration quiet) {
        return new SourceSettings(groupId, outOfOrderness, quiet, futureTolerance, bounded);
    }

    public SourceSettings withFutureTolerance(Duration ahead) {
        return new SourceSettings(groupId, outOfOrderness, idleness, ahead, bounded);
    }

    /** Stops at the end that the log has at start, or reads on for ever. */
    public SourceSettings withBounded(boolean stop) {
        return new SourceSettings(groupId, outOfOrderness, idleness, futureTolerance, stop);
    }
}
