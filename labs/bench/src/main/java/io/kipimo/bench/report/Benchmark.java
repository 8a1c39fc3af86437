package io.kipimo.bench.report;

/** A benchmark of {@code kipimo bench}: a measurement with a result for its readers. */
@FunctionalInterface
public interface Benchmark {
    /** Runs the benchmark. */
    Result run(Context context) throws Exception;
}
