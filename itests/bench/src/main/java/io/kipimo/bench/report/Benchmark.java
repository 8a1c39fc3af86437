package io.kipimo.bench.report;

/** A benchmark of {@code kipimo bench}. */
public interface Benchmark {
    /** Name on the command line. */
    String name();

    /** One line: what is measured. */
    String summary();

    /** Runs the benchmark. */
    Result run(Context context) throws Exception;
}
