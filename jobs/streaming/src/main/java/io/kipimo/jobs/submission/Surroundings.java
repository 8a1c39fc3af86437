package io.kipimo.jobs.submission;

import io.kipimo.jobs.Savepoint;
import io.kipimo.jobs.options.SubmissionRefusedException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumStateSerializer;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.util.DynamicCodeLoadingException;

/** What must hold around a job, which Flink would tell by a stack trace, late, or not at all. */
public final class Surroundings {
    /** Those that have what the jobs use, and no later major one. */
    private static final Pattern VERSIONS = Pattern.compile("2\\.([2-9]|[1-9]\\d+)(\\..*|-.*)?");

    /** Flink's text if it does not know its own version, as on a class path without its jars. */
    private static final String UNKNOWN_VERSION = "<unknown>";

    private Surroundings() {}

    /**
     * Why the jobs cannot run on a Flink; empty: they can.
     *
     * @param version as Flink says it
     */
    public static Optional<String> whyNotOn(String version) {
        return VERSIONS.matcher(version).matches()
                ? Optional.empty()
                : Optional.of("is of version '" + version + "'; allowed: 2.2 or a later 2.x");
    }

    /** Refuses an older Flink, before it lacks a class or a method. */
    static void checkFlink(String version) {
        if (!version.equals(UNKNOWN_VERSION)) {
            whyNotOn(version).ifPresent(reason -> refuse("this Flink " + reason));
        }
    }

    /** Refuses a state backend whose classes are not here. */
    static void checkBackend(ReadableConfig flink) {
        try {
            StateBackendLoader.loadStateBackendFromConfig(flink, Surroundings.class.getClassLoader(), null);
        } catch (DynamicCodeLoadingException | IllegalConfigurationException | IOException | LinkageError e) {
            refuse(("%s is '%s', which Flink cannot load here (%s); allowed: hashmap, or a state backend "
                            + "whose jar is in Flink's lib")
                    .formatted(
                            StateBackendOptions.STATE_BACKEND.key(),
                            flink.get(StateBackendOptions.STATE_BACKEND),
                            e.getMessage()));
        }
    }

    /**
     * Refuses topics that have fewer partitions than the savepoint has read. Flink would wait for the others in
     * silence.
     */
    static void checkPartitions(ReadableConfig flink, KafkaSettings kafka) {
        Optional<String> savepoint = flink.getOptional(StateRecoveryOptions.SAVEPOINT_PATH);
        if (savepoint.isEmpty()) {
            return;
        }
        Map<String, Integer> read;
        try {
            read = partitions(Savepoint.operators(savepoint.get()));
        } catch (IOException e) {
            // Flink itself says why.
            return;
        }
        List<String> problems = Stream.of(Topic.values())
                .filter(topic -> read.containsKey(kafka.name(topic)))
                .flatMap(topic ->
                        problem(kafka.name(topic), read.get(kafka.name(topic)), TopicAdmin.partitions(kafka, topic))
                                .stream())
                .toList();
        if (!problems.isEmpty()) {
            throw new SubmissionRefusedException(problems);
        }
    }

    private static Optional<String> problem(String topic, int read, int there) {
        return read <= there
                ? Optional.empty()
                : Optional.of(("topic '%s' has partitions %s, but the savepoint has read %s; allowed: a topic with "
                                + "at least as many, or no savepoint")
                        .formatted(topic, there, read));
    }

    /** Number of partitions that the sources of a savepoint know, by topic. */
    static Map<String, Integer> partitions(Iterable<OperatorState> operators) {
        Map<String, Integer> partitions = new TreeMap<>();
        for (OperatorState operator : operators) {
            if (operator.getCoordinatorState() != null) {
                source(operator.getCoordinatorState()).stream()
                        .flatMap(state ->
                                Stream.concat(state.assignedSplits().stream(), state.unassignedSplits().stream()))
                        .forEach(split -> partitions.merge(split.getTopic(), split.getPartition() + 1, Math::max));
            }
        }
        return partitions;
    }

    /** State of a source's enumerator; empty: the coordinator is another one. */
    private static Optional<KafkaSourceEnumState> source(ByteStreamStateHandle coordinator) {
        // As Flink's SourceCoordinator writes it, whose methods are not public.
        try (DataInputStream in = new DataInputStream(coordinator.openInputStream())) {
            in.readInt();
            int version = in.readInt();
            byte[] bytes = in.readNBytes(in.readInt());
            return Optional.of(new KafkaSourceEnumStateSerializer().deserialize(version, bytes));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static void refuse(String... problems) {
        throw new SubmissionRefusedException(Arrays.asList(problems));
    }
}
