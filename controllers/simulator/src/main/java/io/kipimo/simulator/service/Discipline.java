package io.kipimo.simulator.service;

/** How a server divides its cores among requests. */
public enum Discipline {
    /** All at once, each with an equal share of the cores, at most one core. */
    PROCESSOR_SHARING,
    /** In order of arrival, each on a core of its own. */
    FIFO,
    /**
     * Those of the first class of the service first, then of the second, and so on; within a class in order of arrival.
     * Each is on a core of its own, and none is interrupted.
     */
    CLASS_PRIORITY
}
