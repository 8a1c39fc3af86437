package io.kipimo.bench.report;

/** Something that {@code kipimo bench} can measure. */
public interface Benchmark {
    /** What it is called on the command line. */
    String name();

    /** One line: what is measured. */
    String summary();

    /** Takes its figures. */
    Result run(Context context) throws Exception;
}
