package io.kipimo.schemas.quality;

/**
 * An answer or a partial result of a sampled query, as the join uses it, independent of its source. Immutable; callers
 * must not change the shared arrays.
 */
public interface SampledEvent extends ComponentResult {
    /** Watermark of an event that was not read from a log. */
    long NO_LOG = Long.MIN_VALUE;

    /**
     * Watermark of the event's partition right before the event: the event time that the partition had reached, less
     * the out-of-orderness; epoch milliseconds. {@link #NO_LOG}: the event was not read from a log.
     */
    default long watermarkMillis() {
        return NO_LOG;
    }

    /**
     * Time at which the log appended the event, less the out-of-orderness; epoch milliseconds. No partition had reached
     * a later watermark at that time.
     */
    default long appendWatermarkMillis() {
        return NO_LOG;
    }

    /**
     * Whether the watermark of the event's partition was known to be as far as the watermarks of other partitions may
     * have been. This is not known at the beginning of a partition, nor after a silence until event time has passed the
     * silence.
     */
    default boolean isProven() {
        return true;
    }

    /** Whether this is an answer; otherwise it is a partial result. */
    boolean isAnswer();

    QueryKey key();

    /**
     * Start of the query, epoch milliseconds; start of the invocation if the query's start is {@linkplain #knowsStart
     * unknown}.
     */
    long startedAtMillis();

    /** Whether the event contains the start of its query, and not only that of an invocation. */
    boolean knowsStart();

    /**
     * Whether {@link #startedAtMillis} is the start of the query. For a replayed answer it is the start of the replay
     * instead.
     */
    default boolean isQueryStart() {
        return isAnswer() ? answerFields().kind() == AnswerKind.ONLINE : knowsStart();
    }

    /** The event time, epoch milliseconds. */
    @Override
    long eventTimeMillis();

    /** The fields that only answers have; {@link AnswerFields#NONE} for a partial result. */
    AnswerFields answerFields();

    /** The component of a partial result; null in answers. */
    String component();

    /** The phase of a partial result; null in answers. */
    Phase phase();

    /** Time from the invocation to the result of a partial result, microseconds; 0 in answers. */
    @Override
    long latencyMicros();
}
