package io.kipimo.jobs.options;

import java.time.Duration;

/** Join options that are not part of a policy. */
public final class JoinOptions {
    public static final BoundedOption<Duration> BACK_STOP = Options.duration(
            "join.back-stop",
            Duration.ofMinutes(5),
            Duration.ofSeconds(1),
            Duration.ofDays(1),
            "When all input is silent, observations included: how long after its window "
                    + "an open query is measured with what has arrived.");

    public static final BoundedOption<JoinPath> PATH = Options.oneOf(
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

    /** Global job parameter, which Flink's REST interface shows: the path, and why it was chosen. */
    public static final String SHOWN_PATH = "kipimo.join-path";

    private JoinOptions() {}
}
