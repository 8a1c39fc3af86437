package io.kipimo.bench.report;

/** What a benchmark does. */
@FunctionalInterface
public interface Benchmark {
    /** Runs the benchmark. */
    Result run(Context context) throws Exception;
}
