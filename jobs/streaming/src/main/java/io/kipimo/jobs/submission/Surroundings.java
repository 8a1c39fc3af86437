package io.kipimo.jobs.submission;

import io.kipimo.jobs.flink.InstalledFlink;
import io.kipimo.jobs.flink.Savepoint;
import io.kipimo.jobs.options.SubmissionRefusedException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;

/**
 * Checks conditions outside a job before it starts. Flink would report a violation by a stack trace, late, or not at
 * all.
 */
public final class Surroundings {
    /** Versions of Flink that have everything that the jobs use. Later major versions are excluded. */
    private static final Pattern VERSIONS = Pattern.compile("2\\.([2-9]|[1-9]\\d+)(\\..*|-.*)?");

    private Surroundings() {}

    /**
     * Explains why the jobs cannot run on a Flink; empty if they can.
     *
     * @param version version as Flink states it
     */
    public static Optional<String> whyNotOn(String version) {
        return VERSIONS.matcher(version).matches()
                ? Optional.empty()
                : Optional.of("is of version '" + version + "'; allowed: 2.2 or a later 2.x");
    }

    /** Refuses an unsupported Flink, before a class or a method is found missing. */
    static void checkFlink(String version) {
        if (!version.equals(InstalledFlink.UNKNOWN_VERSION)) {
            whyNotOn(version).ifPresent(reason -> refuse("this Flink " + reason));
        }
    }

    /** Refuses a state backend whose classes Flink cannot load here. */
    static void checkBackend(ReadableConfig flink) {
        InstalledFlink.whyNoBackend(flink)
                .ifPresent(reason -> refuse(("%s is '%s', which Flink cannot load here (%s); allowed: hashmap, or a"
                                + " state backend whose jar is in Flink's lib")
                        .formatted(
                                StateBackendOptions.STATE_BACKEND.key(),
                                flink.get(StateBackendOptions.STATE_BACKEND),
                                reason)));
    }

    /**
     * Refuses topics that have fewer partitions than the savepoint has read. Flink would silently wait for the missing
     * ones.
     */
    static void checkPartitions(ReadableConfig flink, KafkaSettings kafka) {
        Optional<String> savepoint = flink.getOptional(StateRecoveryOptions.SAVEPOINT_PATH);
        if (savepoint.isEmpty()) {
            return;
        }
        Map<String, Integer> read;
        try {
            read = Savepoint.read(savepoint.get()).partitions();
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

    private static void refuse(String... problems) {
        throw new SubmissionRefusedException(Arrays.asList(problems));
    }
}
