package io.kipimo.jobs.options;

import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.core.quality.window.Budgets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Options of the quality job that are not part of a policy: its join, and its advice on deadlines, budgets and
 * completeness.
 */
public final class JoinOptions {
    private static final Options GROUP = new Options();

    public static final BoundedOption<JoinPath> PATH = GROUP.oneOf(
            "join.path",
            JoinPath.class,
            JoinPath.AUTO,
            "How events come to the join: through a shuffle (KEYED), or within the source's task (LOCAL), which is "
                    + "faster. AUTO: LOCAL if partitions, record keys and parallelism allow it; chosen anew at each "
                    + "start.");

    public static final BoundedOption<Duration> BACK_STOP = GROUP.duration(
            "join.back-stop",
            Duration.ofMinutes(5),
            Duration.ofSeconds(1),
            Duration.ofDays(1),
            "When all input is silent, observations included: how long after its window "
                    + "an open query is measured with what has arrived.");

    private static final int MOST_WEIGHT = 1_000;

    private static final BoundedOption<Double> BACKLOG_RATE = GROUP.number(
            "join.backlog-rate",
            1,
            1.0 / MOST_WEIGHT,
            1,
            "Least share of the queries that a job measures while it is behind; 1: all. It needs checkpoints, and has"
                    + " no effect with join.path KEYED.");

    private static final BoundedOption<Duration> BACKLOG_BEGIN = GROUP.duration(
            "join.backlog-begin",
            Duration.ofMinutes(5),
            Duration.ofMillis(100),
            Duration.ofDays(1),
            "How long ago the events that are read were appended when a job begins to measure fewer queries.");

    private static final BoundedOption<Duration> BACKLOG_END = GROUP.duration(
            "join.backlog-end",
            Duration.ofSeconds(10),
            Duration.ofMillis(10),
            Duration.ofDays(1),
            "How long ago they were appended when it measures all again; less than join.backlog-begin.");

    public static final BoundedOption<Integer> PROFILES_PER_SECOND = GROUP.integer(
            "deadlines.profiles-per-second",
            500,
            0,
            1_000_000,
            "Most queries a second and subtask that are merged again for deadline curves; 0: none.");
    public static final BoundedOption<Duration> DEADLINES_WINDOW = GROUP.duration(
            "deadlines.window",
            Duration.ofMinutes(10),
            Duration.ofSeconds(1),
            Duration.ofDays(1),
            "Time that a deadline curve covers; a multiple of deadlines.every.");
    public static final BoundedOption<Duration> DEADLINES_EVERY = GROUP.duration(
            "deadlines.every",
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            Duration.ofHours(1),
            "How often a deadline curve is published.");
    public static final BoundedOption<Duration> SHORT_WINDOW = GROUP.duration(
            "error-budgets.short-window",
            Duration.ofMinutes(5),
            Duration.ofMinutes(1),
            Duration.ofDays(1),
            "Short window of burn rates: shows whether an error budget burns now; whole minutes.");
    public static final BoundedOption<Duration> LONG_WINDOW = GROUP.duration(
            "error-budgets.long-window",
            Duration.ofHours(1),
            Duration.ofMinutes(1),
            Duration.ofDays(7),
            "Long window of burn rates: shows whether the loss matters; whole minutes, at least the short window.");
    public static final BoundedOption<Duration> PERIOD = GROUP.duration(
            "error-budgets.period",
            Duration.ofDays(28),
            Duration.ofHours(1),
            Duration.ofDays(366),
            "Period of an objective and its budget; whole hours, at least the long window.");
    public static final BoundedOption<Integer> MINIMUM_SAMPLES = GROUP.integer(
            "error-budgets.minimum-samples",
            Budgets.BudgetWindows.DEFAULT.minimumSamples(),
            1,
            1_000_000,
            "Fewest measured queries of a window; below it the verdict is NOT_ENOUGH.");
    public static final BoundedOption<Duration> COMPLETENESS_EVERY = GROUP.duration(
            "completeness.every",
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofHours(1),
            "How often the completeness models are published, if they have learned anything.");

    /** Global job parameter with the join's path and the reason for it. Flink's REST interface shows it. */
    public static final String SHOWN_PATH = "kipimo.join-path";

    private JoinOptions() {}

    public static List<BoundedOption<?>> all() {
        return GROUP.all();
    }

    /**
     * Values of the options of advice.
     *
     * @param deadlinesWindow a multiple of {@code deadlinesEvery}
     */
    public record Advice(
            int profilesPerSecond,
            Duration deadlinesWindow,
            Duration deadlinesEvery,
            Budgets.BudgetWindows budget,
            Duration completenessEvery) {}

    /** Values of the options of the join, and those of advice. */
    public record Join(JoinPath path, Duration backStop, BacklogSampling.BacklogSettings backlog, Advice advice) {}

    /** Reads the options and reports problems to the reader. */
    public static Optional<Join> read(OptionSet.OptionReader reader) {
        return Optional.of(new Join(reader.get(PATH), reader.get(BACK_STOP), backlog(reader), advice(reader)));
    }

    /** Reads how a backlog is sampled. */
    private static BacklogSampling.BacklogSettings backlog(OptionSet.OptionReader reader) {
        double rate = reader.get(BACKLOG_RATE);
        Duration begin = reader.get(BACKLOG_BEGIN);
        Duration end = reader.get(BACKLOG_END);
        if (end.isNegative() || end.compareTo(begin) >= 0) {
            reader.refuse(BACKLOG_END, end, "less than " + BACKLOG_BEGIN.key());
            return BacklogSampling.BacklogSettings.OFF;
        }
        return new BacklogSampling.BacklogSettings(
                (int) Math.min(MOST_WEIGHT, Math.max(1, Math.round(1 / rate))), begin.toMillis(), end.toMillis());
    }

    /** Reads the number of profiled queries and the time windows of advice. */
    private static Advice advice(OptionSet.OptionReader reader) {
        Duration window = reader.get(DEADLINES_WINDOW);
        Duration every = reader.get(DEADLINES_EVERY);
        reader.requireMultiple(DEADLINES_WINDOW, window, every, DEADLINES_EVERY.key());
        return new Advice(
                reader.get(PROFILES_PER_SECOND), window, every, budget(reader), reader.get(COMPLETENESS_EVERY));
    }

    private static Budgets.BudgetWindows budget(OptionSet.OptionReader reader) {
        Duration shortWindow = reader.get(SHORT_WINDOW);
        Duration longWindow = reader.get(LONG_WINDOW);
        Duration period = reader.get(PERIOD);
        int minimumSamples = reader.get(MINIMUM_SAMPLES);
        boolean fits = !List.of(
                        reader.requireMultiple(SHORT_WINDOW, shortWindow, Duration.ofMinutes(1), "a minute"),
                        reader.requireMultiple(LONG_WINDOW, longWindow, Duration.ofMinutes(1), "a minute"),
                        reader.requireMultiple(PERIOD, period, Duration.ofHours(1), "an hour"),
                        reader.requireAtLeast(LONG_WINDOW, longWindow, SHORT_WINDOW, shortWindow),
                        reader.requireAtLeast(PERIOD, period, LONG_WINDOW, longWindow))
                .contains(false);
        // Report both problems: the exception of one option must not hide the other.
        return fits && minimumSamples > 0
                ? new Budgets.BudgetWindows(
                        shortWindow.toMillis(), longWindow.toMillis(), period.toMillis(), minimumSamples)
                : Budgets.BudgetWindows.DEFAULT;
    }
}
