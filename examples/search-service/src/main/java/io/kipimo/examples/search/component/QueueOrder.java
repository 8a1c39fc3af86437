package io.kipimo.examples.search.component;

/** The orders in which a component serves waiting queries. */
public enum QueueOrder {
    /** First come, first served. */
    ARRIVAL,
    /**
     * Queries of the high class first; within a class, first come, first served. A full queue of other queries does not
     * keep the component from accepting a query of the high class.
     */
    CLASS
}
