package io.kipimo.bench.report;

import java.util.List;

/**
 * A benchmark of {@code kipimo bench}.
 *
 * @param name on the command line
 * @param summary one line: what is measured
 * @param repetitions number of measured repetitions of each subject by {@link Context.BenchmarkEffort}, unless others
 *     are asked for
 */
public record NamedBenchmark(String name, String summary, Benchmark benchmark, List<Integer> repetitions) {
    /** A benchmark with the usual numbers of repetitions. */
    public static NamedBenchmark of(String name, String summary, Benchmark benchmark) {
        return new NamedBenchmark(name, summary, benchmark, List.of(1, 3, 4));
    }

    public NamedBenchmark repeated(int tiny, int quick, int full) {
        return new NamedBenchmark(name, summary, benchmark, List.of(tiny, quick, full));
    }
}
