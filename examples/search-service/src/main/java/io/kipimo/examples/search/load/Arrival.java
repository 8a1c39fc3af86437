package io.kipimo.examples.search.load;

/**
 * One query of a trace.
 *
 * @param offsetMicros intended start, since the start of the run, microseconds
 */
public record Arrival(long offsetMicros, QueryClass queryClass, String query) {}
