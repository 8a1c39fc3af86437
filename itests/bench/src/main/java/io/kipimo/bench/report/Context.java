package io.kipimo.bench.report;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The user's settings of a benchmark.
 *
 * @param effort how long it may take
 * @param repetitions measured repetitions of each subject
 * @param backend state backend of Flink's jobs
 * @param progress receives a line for each step
 * @param seconds length of a run of a benchmark that has load for some time; empty: by effort
 * @param against root of another built source tree, whose product is a further side of a benchmark
 *     that can start it
 */
public record Context(
        Effort effort,
        int repetitions,
        StateBackend backend,
        PrintStream progress,
        OptionalInt seconds,
        Optional<Path> against) {

    /** Settings whose runs are as long as the effort tells. */
    public Context(Effort effort, int repetitions, StateBackend backend, PrintStream progress) {
        this(effort, repetitions, backend, progress, OptionalInt.empty(), Optional.empty());
    }

    /** How long a benchmark may take. */
    public enum Effort {
        /** Seconds: shows that the benchmark works; the figures are rough. */
        TINY,
        /** One minute, or four if many processes start. */
        QUICK,
        /** Some minutes, at most a quarter of an hour. */
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

    /** Prints a progress line. */
    public void say(String format, Object... values) {
        progress.printf(Locale.ROOT, "  " + format + "%n", values);
        progress.flush();
    }
}
