package io.kipimo.schemas.quality;

/** Result of one component, with its time. Immutable; callers must not change the shared arrays. */
public interface ComponentResult {
    /** Completion of the result, epoch milliseconds. */
    long eventTimeMillis();

    /** Time from the invocation to the result, microseconds. */
    long latencyMicros();

    /** The items; each call may create them anew. */
    Items items();

    /** The items, possibly without a copy; {@link Items} if their identifiers are texts. */
    default ScoredIds scoredIds() {
        return items();
    }

    /** Whether items were cut at the cap. */
    boolean isTruncated();
}
