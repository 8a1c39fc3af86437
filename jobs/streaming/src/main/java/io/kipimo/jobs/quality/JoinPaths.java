package io.kipimo.jobs.quality;

import io.kipimo.jobs.Savepoint;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.options.OptionSet.CommonOptions;
import io.kipimo.jobs.options.SubmissionRefusedException;
import io.kipimo.kafka.KafkaPartitions;
import io.kipimo.kafka.WriterPlaces;
import io.kipimo.operators.quality.LocalQueryJoinOperator;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.operators.quality.QueryJoinOperator;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.PipelineOptionsInternal;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.runtime.jobmanager.HighAvailabilityMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the {@link JoinPath}, and checks whether it is possible. */
final class JoinPaths {
    private static final Logger LOG = LoggerFactory.getLogger(JoinPaths.class);

    private static final Set<String> HEAP_BACKENDS =
            Set.of("hashmap", "org.apache.flink.runtime.state.hashmap.HashMapStateBackendFactory");

    private JoinPaths() {}

    /**
     * A path and why.
     *
     * @param partitions for a join in the source's task; empty: events are shuffled by query
     */
    record PathChoice(Optional<LogPartitions> partitions, String reason) {
        static PathChoice keyed(String reason) {
            return new PathChoice(Optional.empty(), reason);
        }

        JoinPath path() {
            return partitions.isPresent() ? JoinPath.LOCAL : JoinPath.KEYED;
        }

        @Override
        public String toString() {
            return path() + ", since " + reason;
        }
    }

    /**
     * The path of a job that is submitted now. The log, and the job's parameters in Flink, have it.
     *
     * @throws SubmissionRefusedException if LOCAL is wanted or stored, and not possible; if the savepoint is of the
     *     other path, or its path must be known and cannot be read
     */
    static PathChoice of(StreamExecutionEnvironment env, CommonOptions options, JoinPath wanted) {
        PathChoice choice = choose(env, options, wanted);
        LOG.info("{} is {}", JoinOptions.PATH.key(), choice);
        Map<String, String> shown = new TreeMap<>(env.getConfiguration()
                .getOptional(PipelineOptions.GLOBAL_JOB_PARAMETERS)
                .orElse(Map.of()));
        shown.put(JoinOptions.SHOWN_PATH, choice.toString());
        env.configure(new Configuration().set(PipelineOptions.GLOBAL_JOB_PARAMETERS, shown));
        return choice;
    }

    private static PathChoice choose(StreamExecutionEnvironment env, CommonOptions options, JoinPath wanted) {
        ReadableConfig flink = env.getConfiguration();
        Optional<String> savepoint = flink.getOptional(StateRecoveryOptions.SAVEPOINT_PATH);
        Optional<JoinPath> stored = savepoint.flatMap(pointer -> stored(pointer, wanted));
        if (wanted != JoinPath.AUTO && !stored.orElse(wanted).equals(wanted)) {
            throw refusal(
                    wanted,
                    "savepoint '%s' is of a job with %s".formatted(savepoint.get(), stored.get()),
                    stored.get() + " or AUTO with this savepoint, or " + wanted + " without one");
        }
        boolean isFree = wanted == JoinPath.AUTO && stored.isEmpty();
        JoinPath path = stored.orElse(wanted);
        String reason = wanted == JoinPath.AUTO ? "the savepoint is of such a job" : "it is set";
        if (path == JoinPath.KEYED) {
            return PathChoice.keyed(reason);
        }
        Optional<String> doubt = isFree ? doubt(flink) : Optional.empty();
        if (doubt.isPresent()) {
            return PathChoice.keyed(doubt.get());
        }
        try {
            int answers = TopicAdmin.partitions(options.kafka(), Topic.ANSWERS);
            int partials = TopicAdmin.partitions(options.kafka(), Topic.PARTIALS);
            doubt = whyNotLocal(flink, answers, partials, options.source().bounded());
            if (!isFree) {
                if (doubt.isPresent()) {
                    throw refusal(
                            wanted,
                            (stored.isPresent() ? "the savepoint is of a job with LOCAL, and " : "") + doubt.get(),
                            "KEYED without a savepoint");
                }
                return new PathChoice(Optional.of(new KafkaPartitions(answers)), reason);
            }
            if (doubt.isEmpty() && env.getParallelism() > answers) {
                doubt = Optional.of(
                        "parallelism %d is above the %d partitions".formatted(env.getParallelism(), answers));
            }
            if (doubt.isPresent()) {
                return PathChoice.keyed(doubt.get());
            }
            WriterPlaces places = WriterPlaces.read(options.kafka(), answers);
            return places.doubt()
                    .map(PathChoice::keyed)
                    .orElseGet(() -> new PathChoice(Optional.of(new KafkaPartitions(answers)), places.evidence()));
        } catch (BrokerUnavailableException e) {
            if (!isFree) {
                throw e;
            }
            return PathChoice.keyed("it is not known where writers put records: " + e.getMessage());
        }
    }

    /**
     * Why nobody can know before the start which path's state a job without a savepoint gets; empty: it gets no state.
     * Flink ignores state of the other path in the savepoint.
     */
    private static Optional<String> doubt(ReadableConfig flink) {
        return HighAvailabilityMode.fromConfig(Configuration.fromMap(flink.toMap())) != HighAvailabilityMode.NONE
                        && flink.getOptional(PipelineOptionsInternal.PIPELINE_FIXED_JOB_ID)
                                .isPresent()
                ? Optional.of("the job may continue from a checkpoint in %s, whose path is not known"
                        .formatted(HighAvailabilityOptions.HA_MODE.key()))
                : Optional.empty();
    }

    private static SubmissionRefusedException refusal(JoinPath wanted, String reason, String allowed) {
        return new SubmissionRefusedException(
                List.of(JoinOptions.PATH.key() + " is " + wanted + ", but " + reason + "; allowed: " + allowed));
    }

    /**
     * Why the join cannot be in the source's task; empty: it can.
     *
     * @param answers number of partitions of the answers
     * @param partials number of partitions of the partial results
     */
    static Optional<String> whyNotLocal(ReadableConfig flink, int answers, int partials, boolean isBounded) {
        String backend = flink.get(StateBackendOptions.STATE_BACKEND);
        if (answers != partials) {
            return Optional.of(
                    "answers have %d partitions and partials %d, which must be equal".formatted(answers, partials));
        }
        if (!HEAP_BACKENDS.contains(backend)) {
            return Optional.of("state is not on the heap but in " + backend);
        }
        if (!flink.get(PipelineOptions.OPERATOR_CHAINING)) {
            return Optional.of("operator chaining is disabled");
        }
        return isBounded ? Optional.of("the source is bounded") : Optional.empty();
    }

    /**
     * The path of the job that wrote a savepoint or checkpoint; empty: it is of another job.
     *
     * @param wanted AUTO needs it; otherwise Flink itself says why it cannot be read
     */
    static Optional<JoinPath> stored(String pointer, JoinPath wanted) {
        Set<String> uids = new HashSet<>();
        try {
            Savepoint.operators(pointer)
                    .forEach(operator -> operator.getOperatorUid().ifPresent(uids::add));
        } catch (IOException e) {
            if (wanted != JoinPath.AUTO) {
                return Optional.empty();
            }
            throw refusal(
                    wanted,
                    "the path of savepoint '%s' cannot be read (%s)".formatted(pointer, e.getMessage()),
                    "KEYED or LOCAL, as the job that wrote it");
        }
        if (uids.contains(LocalQueryJoinOperator.UID)) {
            return Optional.of(JoinPath.LOCAL);
        }
        return uids.contains(QueryJoinOperator.UID) ? Optional.of(JoinPath.KEYED) : Optional.empty();
    }
}
