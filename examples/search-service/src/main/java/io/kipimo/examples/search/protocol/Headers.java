package io.kipimo.examples.search.protocol;

/** Names of the headers, besides {@link io.kipimo.sdk.trace.TraceParent#HEADER}. */
public final class Headers {
    /**
     * To the front end: when the user meant to ask, epoch microseconds. The deadline counts from
     * then, so that a query that waited before it was sent is not young again.
     */
    public static final String INTENDED_START = "kipimo-intended-start-micros";

    /** To a component: until when the answer waits for it, epoch microseconds. */
    public static final String DEADLINE = "kipimo-deadline-micros";

    /** To a component, {@code true} or absent: the query is sampled, so late work is finished. */
    public static final String SAMPLED = "kipimo-sampled";

    /** From a component that has no result for an unsampled query, with status 204: why. */
    public static final String SHED = "kipimo-shed";

    /** From the front end: how many components are in the answer and how many there are. */
    public static final String COVERAGE = "kipimo-coverage";

    private Headers() {}
}
