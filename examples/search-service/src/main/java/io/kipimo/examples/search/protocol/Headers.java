package io.kipimo.examples.search.protocol;

/** Names of the HTTP headers, apart from {@link io.kipimo.sdk.trace.TraceParent#HEADER}. */
public final class Headers {
    /**
     * To the front end: intended start of the query, epoch microseconds. The deadline counts from this time, so that
     * waiting before the send is included.
     */
    public static final String INTENDED_START = "kipimo-intended-start-micros";

    /** To a component: deadline of the answer, epoch microseconds. */
    public static final String DEADLINE = "kipimo-deadline-micros";

    /** To a component, {@code true} or absent. If true, the query is sampled, so the component finishes late work. */
    public static final String SAMPLED = "kipimo-sampled";

    /** To a component: class of the query, by which it may order its queue. */
    public static final String CLASS = "kipimo-class";

    /** Value of {@link #CLASS} for the class that a component may serve first. */
    public static final String HIGH_CLASS = "high";

    /** From a component that has no result for an unsampled query, with status 204: the {@code ShedReason}. */
    public static final String SHED = "kipimo-shed";

    /** From the front end: number of components in the answer, and number of all components. */
    public static final String COVERAGE = "kipimo-coverage";

    private Headers() {}
}
