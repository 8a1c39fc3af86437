package io.kipimo.jobs.quality;

import io.kipimo.jobs.flink.Savepoint;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.options.OptionSet.CommonOptions;
import io.kipimo.jobs.options.SubmissionRefusedException;
import io.kipimo.kafka.KafkaPartitions;
import io.kipimo.kafka.WriterPlaces;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.operators.quality.QueryJoinOperator;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the {@link JoinPath} at each start. The path before does not matter, because state fits both. */
final class JoinPaths {
    private static final Logger LOG = LoggerFactory.getLogger(JoinPaths.class);

    private JoinPaths() {}

    /**
     * The chosen path of events to the join, with the reason.
     *
     * @param partitions partitions of the answers
     * @param isShuffled true: events are shuffled by partition; false: the join is in the source's task
     */
    record Feed(LogPartitions partitions, boolean isShuffled, String reason) {
        JoinPath path() {
            return isShuffled ? JoinPath.KEYED : JoinPath.LOCAL;
        }

        @Override
        public String toString() {
            return path() + ", since " + reason;
        }
    }

    /**
     * Chooses the path of a job that is submitted now. Writes it to the log and to the job's parameters in Flink.
     *
     * @throws SubmissionRefusedException if LOCAL is wanted and not possible, or if the savepoint has a former join
     */
    static Feed of(StreamExecutionEnvironment env, CommonOptions options, JoinPath wanted) {
        env.getConfiguration().getOptional(StateRecoveryOptions.SAVEPOINT_PATH).ifPresent(JoinPaths::requireReadable);
        Feed feed = choose(env, options, wanted);
        LOG.info("{} is {}", JoinOptions.PATH.key(), feed);
        Map<String, String> shown = new TreeMap<>(env.getConfiguration()
                .getOptional(PipelineOptions.GLOBAL_JOB_PARAMETERS)
                .orElse(Map.of()));
        shown.put(JoinOptions.SHOWN_PATH, feed.toString());
        env.configure(new Configuration().set(PipelineOptions.GLOBAL_JOB_PARAMETERS, shown));
        return feed;
    }

    private static Feed choose(StreamExecutionEnvironment env, CommonOptions options, JoinPath wanted) {
        int answers = TopicAdmin.partitions(options.kafka(), Topic.ANSWERS);
        int partials = TopicAdmin.partitions(options.kafka(), Topic.PARTIALS);
        LogPartitions partitions = new KafkaPartitions(answers);
        if (wanted == JoinPath.KEYED) {
            return new Feed(partitions, true, "it is set");
        }
        Optional<String> doubt = whyNotLocal(
                env.getConfiguration(), answers, partials, options.source().bounded());
        if (wanted == JoinPath.LOCAL) {
            if (doubt.isPresent()) {
                throw new SubmissionRefusedException(List.of("%s is %s, but %s; allowed: KEYED, or AUTO"
                        .formatted(JoinOptions.PATH.key(), wanted, doubt.get())));
            }
            return new Feed(partitions, false, "it is set");
        }
        if (doubt.isEmpty() && env.getParallelism() > answers) {
            doubt = Optional.of("parallelism %d is above the %d partitions".formatted(env.getParallelism(), answers));
        }
        if (doubt.isPresent()) {
            return new Feed(partitions, true, doubt.get());
        }
        WriterPlaces places = WriterPlaces.read(options.kafka(), answers);
        return new Feed(partitions, places.doubt().isPresent(), places.doubt().orElseGet(places::evidence));
    }

    /**
     * Explains why the join cannot be in the source's task; empty if it can.
     *
     * @param answers number of partitions of the answers
     * @param partials number of partitions of the partial results
     */
    static Optional<String> whyNotLocal(ReadableConfig flink, int answers, int partials, boolean isBounded) {
        if (answers != partials) {
            return Optional.of(
                    "answers have %d partitions and partials %d, which must be equal".formatted(answers, partials));
        }
        if (!flink.get(PipelineOptions.OPERATOR_CHAINING)) {
            return Optional.of("operator chaining is disabled");
        }
        return isBounded ? Optional.of("the source is bounded") : Optional.empty();
    }

    /**
     * Refuses a savepoint or checkpoint of a former join, because its open queries would be lost. Only warns of one
     * that cannot be read, because Flink itself refuses it.
     */
    static void requireReadable(String pointer) {
        try {
            if (!Collections.disjoint(Savepoint.read(pointer).uids(), QueryJoinOperator.FORMER_UIDS)) {
                throw new SubmissionRefusedException(List.of(
                        "savepoint '%s' is of a job with a former join, which this version does not read; allowed: "
                                        .formatted(pointer)
                                + "one of this version, or none, and the job continues at its committed offsets"));
            }
        } catch (IOException e) {
            LOG.warn("savepoint '{}' cannot be read: {}", pointer, e.getMessage());
        }
    }
}
