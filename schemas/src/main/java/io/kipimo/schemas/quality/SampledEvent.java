package io.kipimo.schemas.quality;

/**
 * An answer or a partial result of a sampled query, as the join uses it, whatever its source. Immutable; callers must
 * not change the shared arrays.
 */
public interface SampledEvent extends ComponentResult {
    /** Watermark of an event that was not read from a log. */
    long NO_LOG = Long.MIN_VALUE;

    /**
     * Watermark of its partition right before it: the event time that the partition had reached, less the
     * out-of-orderness; epoch milliseconds. {@link #NO_LOG}: it was not read from a log.
     */
    default long watermarkMillis() {
        return NO_LOG;
    }

    /**
     * Its append time, less the out-of-orderness; epoch milliseconds. No watermark that a partition had reached by then
     * is later.
     */
    default long appendWatermarkMillis() {
        return NO_LOG;
    }

    /**
     * Whether its partition's watermark was as far as those of the others may have been. It is not at the beginning of
     * a partition and after a silence, until event time is past the silence.
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

    /** Whether {@link #startedAtMillis} is the start of its query; that of a replay is its own. */
    default boolean isQueryStart() {
        return isAnswer() ? answerFields().kind() == AnswerKind.ONLINE : knowsStart();
    }

    /** The event time, epoch milliseconds. */
    @Override
    long eventTimeMillis();

    /** What only answers contain; {@link AnswerFields#NONE} of a partial result. */
    AnswerFields answerFields();

    /** The component, of a partial result; null in answers. */
    String component();

    /** The phase, of a partial result; null in answers. */
    Phase phase();

    /** Time from the invocation to the result, of a partial result, microseconds. */
    @Override
    long latencyMicros();
}
