package io.kipimo.bench.report;

/** A benchmark of {@code kipimo bench}. */
public interface Benchmark {
    /** Name on the command line. */
    String name();

    /** One line: what is measured. */
    String summary();

    /** Measured repetitions of each subject, unless others are asked for. */
    default int repetitions(Context.Effort effort) {
        return switch (effort) {
            case TINY -> 1;
            case QUICK -> 3;
            case FULL -> 4;
        };
    }

    /** Runs the benchmark. */
    Result run(Context context) throws Exception;
}
