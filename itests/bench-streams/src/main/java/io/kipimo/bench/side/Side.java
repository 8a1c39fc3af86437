package io.kipimo.bench.side;

/**
 * Reads the events of a workload from its topics and does its work on them; made by a constructor
 * without parameters. Repetitions are independent of each other but for what the JVM has learnt.
 */
public interface Side extends AutoCloseable {
    /** Does the work once. */
    SideRun run(SideRequest request) throws Exception;

    @Override
    default void close() throws Exception {}
}
