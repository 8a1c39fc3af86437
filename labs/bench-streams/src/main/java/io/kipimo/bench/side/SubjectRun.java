package io.kipimo.bench.side;

import java.util.Map;

/**
 * What one repetition took.
 *
 * @param wallMicros from the first event that was read to the last result written
 * @param cpuMicros of the side's whole JVM, from the request to its end: set-up, compiler and collector included
 * @param details more figures by name, as the side has them
 */
public record SubjectRun(long events, long wallMicros, long cpuMicros, Map<String, Double> details) {
    /** Key of the details: bytes allocated an event. */
    public static final String BYTES_PER_EVENT = "bytes an event";

    /** Both runs, one after the other; details are those of the later one. */
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
