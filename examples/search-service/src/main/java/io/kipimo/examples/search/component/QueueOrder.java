package io.kipimo.examples.search.component;

/** Which of the waiting queries a component serves next. */
public enum QueueOrder {
    /** First come, first served. */
    ARRIVAL,
    /**
     * The high class first; within a class, first come, first served. A query of the high class is not refused because
     * others wait.
     */
    CLASS
}
