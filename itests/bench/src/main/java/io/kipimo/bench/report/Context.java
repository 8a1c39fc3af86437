package io.kipimo.bench.report;

import java.io.PrintStream;
import java.util.Locale;

/**
 * What the user wants of a benchmark.
 *
 * @param effort how long it may take
 * @param repetitions that count, of each side
 * @param backend where Flink's jobs keep their state
 * @param progress takes a line for each step
 */
public record Context(Effort effort, int repetitions, StateBackend backend, PrintStream progress) {
    /** How long a benchmark may take. */
    public enum Effort {
        /** Seconds: whether everything works; the figures are rough. */
        TINY,
        /** A minute, or four where many processes start. */
        QUICK,
        /** Some minutes, at most a quarter of an hour. */
        FULL
    }

    /** Where Flink's jobs keep their state. */
    public enum StateBackend {
        HASHMAP,
        ROCKSDB;

        /** Flink's name of it. */
        public String flinkName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Chooses by effort. */
    public <T> T choose(T tiny, T quick, T full) {
        return switch (effort) {
            case TINY -> tiny;
            case QUICK -> quick;
            case FULL -> full;
        };
    }

    /** Tells what happens. */
    public void say(String format, Object... values) {
        progress.printf(Locale.ROOT, "  " + format + "%n", values);
        progress.flush();
    }
}
