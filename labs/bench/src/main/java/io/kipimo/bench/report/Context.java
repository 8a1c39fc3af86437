package io.kipimo.bench.report;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The user's settings of a benchmark.
 *
 * @param effort how long it may take
 * @param repetitions measured repetitions of each subject
 * @param backend state backend of Flink's jobs
 * @param progress receives a line for each step
 * @param seconds length of a run of a benchmark that has load for some time; empty: by effort
 * @param against root of another built source tree, whose product is a further side of a benchmark that can start it
 * @param only parts to run, by option, such as {@link #MIXES}; an option that is missing: by effort
 */
public record Context(
        BenchmarkEffort effort,
        int repetitions,
        StateBackend backend,
        PrintStream progress,
        OptionalInt seconds,
        Optional<Path> against,
        Map<String, List<String>> only) {

    /** Option with names of partitionings. */
    public static final String PARTITIONINGS = "--partitionings";

    /** Option with names of mixes of queries. */
    public static final String MIXES = "--mixes";

    /** Option with names of ways to share a service. */
    public static final String WAYS = "--ways";

    /** Settings of runs whose length depends on the effort. */
    public Context(BenchmarkEffort effort, int repetitions, StateBackend backend, PrintStream progress) {
        this(effort, repetitions, backend, progress, OptionalInt.empty(), Optional.empty(), Map.of());
    }

    /** Time that a benchmark may take. */
    public enum BenchmarkEffort {
        /** Takes seconds. It shows that the benchmark works; the figures are rough. */
        TINY,
        /** Takes one minute, or four if many processes start. */
        QUICK,
        /** Takes some minutes, at most a quarter of an hour. */
        FULL
    }

    /** State backend of Flink's jobs. */
    public enum StateBackend {
        HASHMAP,
        ROCKSDB;

        /** Flink's name of the backend. */
        public String flinkName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Selects a value by effort. */
    public <T> T choose(T tiny, T quick, T full) {
        return switch (effort) {
            case TINY -> tiny;
            case QUICK -> quick;
            case FULL -> full;
        };
    }

    /** Thrown if the user names a part that a benchmark does not know. */
    public static final class UnknownNameException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        UnknownNameException(String message) {
            super(message);
        }
    }

    /**
     * Selects parts by an option.
     *
     * @param all parts that can be named, in the order in which they run
     * @param usual parts if the option is missing
     * @throws UnknownNameException if there is no part of a wanted name
     */
    public <T> List<T> only(String option, List<T> all, List<T> usual, Function<T, String> nameOf) {
        List<String> wanted = only.getOrDefault(option, List.of());
        List<String> names = all.stream().map(nameOf).toList();
        for (String name : wanted) {
            if (!names.contains(name)) {
                throw new UnknownNameException(option + " has '" + name + "'; allowed: " + String.join(", ", names));
            }
        }
        return wanted.isEmpty()
                ? usual
                : all.stream()
                        .filter(part -> wanted.contains(nameOf.apply(part)))
                        .toList();
    }

    /** Prints a progress line. */
    public void say(String format, Object... values) {
        progress.printf(Locale.ROOT, "  " + format + "%n", values);
        progress.flush();
    }
}
