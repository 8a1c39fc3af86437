package io.kipimo.schemas.quality;

/**
 * An answer or a partial result of a sampled query: what the join asks of it, whatever it was read
 * from. Immutable; arrays are shared and not to be changed.
 */
public interface SampledEvent {
    /** Whether it is an answer; else it is a partial result. */
    boolean isAnswer();

    QueryKey key();

    /**
     * When the query started, epoch milliseconds; when the component was invoked, if the event
     * {@linkplain #knowsStart does not know}.
     */
    long startedAtMillis();

    /** Whether the event says when its query started, and not only when a component was invoked. */
    boolean knowsStart();

    /** When this happened, epoch milliseconds. */
    long eventTimeMillis();

    /** Whether items were cut at the cap. */
    boolean isTruncated();

    /** The items; may be made at each call. */
    Items items();

    /** Of an answer; null in partial results. */
    String queryClass();

    /** Of an answer; null in partial results. */
    AnswerKind kind();

    /** Of an answer: the deadline in force, milliseconds after the start. */
    int deadlineMillis();

    /** Of an answer; 0: the service's default. */
    int topK();

    /** Of an answer: every component that the query invoked, once each. */
    String[] invokedComponents();

    /** Of an answer: what became of each of {@link #invokedComponents}. */
    Outcome[] outcomes();

    /** Of an answer: latencies of {@link #invokedComponents}, microseconds. */
    long[] invocationLatenciesMicros();

    /** Of an answer: why its emitter knows that nobody can tell its quality; null: it does not. */
    Unmeasurable unmeasurable();

    /** Of a partial result; null in answers. */
    String component();

    /** Of a partial result; null in answers. */
    Phase phase();

    /** Of a partial result: from the invocation to the result, microseconds. */
    long latencyMicros();
}
