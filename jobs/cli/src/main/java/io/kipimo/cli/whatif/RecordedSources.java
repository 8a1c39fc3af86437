package io.kipimo.cli.whatif;

import io.kipimo.cli.kafka.BrokerOptions;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.topics.RecordedFile;
import io.kipimo.kafka.KafkaPartitions;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sources of records: files, or the topics of a running system. */
final class RecordedSources {
    /** Topics that a replay can use. */
    private static final List<Topic> TOPICS = List.of(
            Topic.ANSWERS,
            Topic.PARTIALS,
            Topic.OBSERVATIONS,
            Topic.QUALITY_WINDOWS,
            Topic.ADMISSION,
            Topic.SAMPLING,
            Topic.REPLICATION,
            Topic.FAN_OUT,
            Topic.POLICIES);

    @Option(
            names = "--events",
            paramLabel = "FILE-or-TOPIC",
            description = "Output of kipimo tail for any of the topics answers, partials, observations, "
                    + "quality-windows, admission, sampling, replication, fan-out and policies, or such a topic; "
                    + "repeatable. - is standard input. Default: all of these topics.")
    private List<String> events = new ArrayList<>();

    @Mixin
    private BrokerOptions kafka;

    /**
     * Reads the records.
     *
     * @param topics topics to read if the user names no source
     * @param fromMillis lower bound of append times, epoch milliseconds; it does not apply to policies
     * @throws InputException if a source cannot be read
     */
    RecordedHistory read(String service, List<Topic> topics, long fromMillis) {
        RecordedHistory recording = new RecordedHistory(service);
        if (events.isEmpty()) {
            KafkaSettings settings = kafka.connect();
            topics.forEach(topic -> read(settings, topic, fromMillis, recording));
        }
        for (String name : events) {
            Optional<Topic> topic = topic(name);
            if (name.equals(InputFile.STANDARD_INPUT) || Files.exists(Path.of(name))) {
                RecordedFile.readAny(name, codecs(), recording::add);
            } else if (topic.isPresent()) {
                read(kafka.connect(topic.get()), topic.get(), fromMillis, recording);
            } else {
                throw new InputException("--events is '%s'; allowed: an existing file, or one of the topics %s"
                        .formatted(name, TOPICS.stream().map(Topic::suffix).collect(Collectors.joining(", "))));
            }
        }
        return recording;
    }

    private static void read(KafkaSettings settings, Topic topic, long fromMillis, RecordedHistory recording) {
        if (topic == Topic.ANSWERS) {
            recording.partitionedBy(new KafkaPartitions(TopicAdmin.partitions(settings, topic))::partitionOf);
        }
        TopicReader.read(
                settings,
                topic,
                topic == Topic.POLICIES ? 0 : fromMillis,
                Codecs.named(topic.message()),
                recording::add);
    }

    private Optional<Topic> topic(String name) {
        return TOPICS.stream()
                .filter(t -> t.suffix().equals(name) || kafka.name(t).equals(name))
                .findFirst();
    }

    private static List<Codec<?>> codecs() {
        return Arrays.asList(
                TOPICS.stream().map(t -> Codecs.named(t.message())).distinct().toArray(Codec<?>[]::new));
    }
}
