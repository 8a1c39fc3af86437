package io.kipimo.bench.side;

/**
 * One side of a benchmark. It reads the events of a workload from its topics and does its work on them. It is made by a
 * constructor without parameters. Repetitions are independent, except that the JVM has compiled more code.
 */
public interface BenchmarkSubject extends AutoCloseable {
    /** Does the work once. */
    SubjectRun run(SideRequest request) throws Exception;

    @Override
    default void close() throws Exception {}
}
