package io.kipimo.bench.side;

import java.util.Map;

/**
 * Figures of one repetition.
 *
 * @param wallMicros from the first event that was read to the last result written
 * @param cpuMicros of the side's whole JVM, from the request to its end: set-up, compiler and collector included
 * @param details more figures by name; each side has its own
 */
public record SubjectRun(long events, long wallMicros, long cpuMicros, Map<String, Double> details) {
    /** Key of the details: bytes allocated an event. */
    public static final String BYTES_PER_EVENT = "bytes an event";

    /** Both runs together, one after the other. The details are those of the later run. */
    public SubjectRun plus(SubjectRun later) {
        return new SubjectRun(
                events + later.events, wallMicros + later.wallMicros, cpuMicros + later.cpuMicros, later.details);
    }

    public double eventsPerSecond() {
        return events * 1e6 / wallMicros;
    }

    public double eventsPerCpuSecond() {
        return events * 1e6 / cpuMicros;
    }
}
