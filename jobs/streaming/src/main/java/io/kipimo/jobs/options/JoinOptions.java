package io.kipimo.jobs.options;

import io.kipimo.core.quality.join.BacklogSampling;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Join options that are not part of a policy. */
public final class JoinOptions {
    private static final Options GROUP = new Options();

    public static final BoundedOption<JoinPath> PATH = GROUP.oneOf(
            "join.path",
            JoinPath.class,
            JoinPath.AUTO,
            "How events come to the join. KEYED: through a shuffle by query. LOCAL: within "
                    + "the source's task, which is faster. LOCAL needs state on the heap, "
                    + "the same number of partitions in both topics, and writers whose "
                    + "record key is the query's id, as the clients do. A savepoint of one "
                    + "path does not restore with the other. AUTO: the path of the "
                    + "savepoint; without one LOCAL if state, partitions and parallelism "
                    + "allow it and the newest records of each partition are in the "
                    + "partition of their query's id, else KEYED.");

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
            "Least share of the queries that a job measures while it is behind, chosen by their ids, so that it catches up"
                    + " sooner; 1: all. The job chooses 1/2, 1/3 and so on by how far it is behind, and measures all again"
                    + " once it has caught up. Rows and windows state the rate. It needs checkpoints, and has no effect with"
                    + " join.path KEYED.");

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

    /** Global job parameter, which Flink's REST interface shows: the path, and why it was chosen. */
    public static final String SHOWN_PATH = "kipimo.join-path";

    private JoinOptions() {}

    public static List<BoundedOption<?>> all() {
        return GROUP.all();
    }

    /** The values, with those of advice. */
    public record Join(
            JoinPath path, Duration backStop, BacklogSampling.Settings backlog, AdviceOptions.Advice advice) {}

    /** Reads the options and reports problems to the reader. */
    public static Optional<Join> read(OptionSet.Reader reader) {
        return Optional.of(
                new Join(reader.get(PATH), reader.get(BACK_STOP), backlog(reader), AdviceOptions.read(reader)));
    }

    /** How a backlog is sampled. */
    private static BacklogSampling.Settings backlog(OptionSet.Reader reader) {
        double rate = reader.get(BACKLOG_RATE);
        Duration begin = reader.get(BACKLOG_BEGIN);
        Duration end = reader.get(BACKLOG_END);
        if (end.isNegative() || end.compareTo(begin) >= 0) {
            reader.problem(BACKLOG_END.key()
                    + " is "
                    + BoundedOption.printable(end)
                    + "; allowed: less than "
                    + BACKLOG_BEGIN.key());
            return BacklogSampling.Settings.OFF;
        }
        return new BacklogSampling.Settings(
                (int) Math.min(MOST_WEIGHT, Math.max(1, Math.round(1 / rate))), begin.toMillis(), end.toMillis());
    }
}
