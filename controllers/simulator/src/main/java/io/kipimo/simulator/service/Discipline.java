package io.kipimo.simulator.service;

/** How a server divides its cores among requests. */
public enum Discipline {
    /** All requests are in service at once. Each has an equal share of the cores, at most one core. */
    PROCESSOR_SHARING,
    /** Requests are served in the order of arrival, each on a core of its own. */
    FIFO,
    /**
     * Requests of the first class of the service come first, then those of the second, and so on; within a class they
     * are in the order of arrival. Each is on a core of its own, and none is interrupted.
     */
    CLASS_PRIORITY
}
