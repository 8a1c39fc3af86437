package io.kipimo.bench.side;

/**
 * Reads the events of a workload from its topics and does its work on them; made by a constructor without parameters.
 * Repetitions are independent of each other but for what the JVM has learnt.
 */
public interface BenchmarkSubject extends AutoCloseable {
    /** Does the work once. */
    SubjectRun run(SideRequest request) throws Exception;

    @Override
    default void close() throws Exception {}
}
