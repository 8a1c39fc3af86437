package io.kipimo.simulator.service;

/** How a server divides its cores among requests. */
public enum Discipline {
    /** All at once, each with an equal share of the cores, at most one core. */
    PROCESSOR_SHARING,
    /** In order of arrival, each on a core of its own. */
    FIFO
}
