package io.kipimo.cli.topics;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kipimo tail}: prints the records of a topic as JSON lines. */
@Command(
        name = "tail",
        description = {
            "Prints new records of a topic as JSON lines (the Protobuf JSON form, defaults included; with --output "
                    + "yaml, as YAML documents) until it is interrupted.",
            "",
            "A record that cannot be used is shown as {\"error\":…,\"partition\":…,\"offset\":…}, a deleted key as "
                    + "{\"deleted\":…,\"partition\":…,\"offset\":…}."
        },
        footer = {
            "  kipimo tail quality-windows --filter service=search --filter metric=tpr@20",
            "  kipimo tail policies --from-beginning --until-end",
            "  kipimo tail answers --from-beginning --until-end > answers.jsonl",
            "  kipimo tail late-events --max 10 --filter partial.component=shard-3"
        })
public final class TailCommand extends KafkaCommand {
    private static final Duration POLL = Duration.ofMillis(250);

    @Parameters(
            paramLabel = "TOPIC",
            description = "Topic of the catalogue, with or without the prefix; see kipimo topics.")
    private String topicName;

    @Option(names = "--from-beginning", description = "Print existing records first.")
    private boolean fromBeginning;

    @Option(names = "--until-end", description = "Stop at the topic's end as of the command's start.")
    private boolean untilEnd;

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "9223372036854775807",
            showDefaultValue = Visibility.NEVER,
            description = "Stop after this many lines.")
    private long max;

    @Option(
            names = "--filter",
            paramLabel = "FIELD=VALUE",
            description = "Print only records whose field has this value; with several filters, all must match. "
                    + "Nested fields: answer.service=search. Unusable records are omitted.")
    private Map<String, String> filters = new LinkedHashMap<>();

    @Override
    public Integer call() {
        InputException.throwIf(max < 1, "--max is " + max + "; allowed: at least 1");
        Topic topic = topic();
        JsonLines lines = new JsonLines(Codecs.named(topic.message()), filters);
        KafkaSettings settings = kafka.connect(topic);
        Map<String, Object> properties = settings.forReader();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            follow(consumer, settings.name(topic), lines);
        } catch (KafkaException e) {
            throw new InputException("cannot read " + settings.name(topic) + ": " + e.getMessage());
        }
        return ExitCodes.FINE;
    }

    private Topic topic() {
        return Arrays.stream(Topic.values())
                .filter(t -> t.suffix().equals(topicName) || kafka.name(t).equals(topicName))
                .findFirst()
                .orElseThrow(() -> new InputException("topic is '%s'; allowed: %s"
                        .formatted(
                                topicName,
                                Arrays.stream(Topic.values()).map(Topic::suffix).collect(Collectors.joining(", ")))));
    }

    private void follow(KafkaConsumer<byte[], byte[]> consumer, String topic, JsonLines lines) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(p -> new TopicPartition(topic, p.partition()))
                .toList();
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        consumer.assign(partitions);
        if (fromBeginning) {
            consumer.seekToBeginning(partitions);
        } else {
            ends.forEach(consumer::seek);
        }
        PrintWriter out = output.out();
        long printed = 0;
        // End the command when its output is closed (head).
        while (!out.checkError() && !(untilEnd && isAt(consumer, ends))) {
            for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(POLL)) {
                boolean after = entry.offset() >= ends.get(partitionOf(entry));
                Optional<String> line = untilEnd && after ? Optional.empty() : lines.of(entry);
                if (line.isPresent()) {
                    print(out, line.get());
                    if (++printed == max) {
                        return;
                    }
                }
            }
        }
    }

    private void print(PrintWriter out, String line) {
        if (output.isYaml()) {
            output.print(out, JsonLines.tree(line));
        } else {
            out.println(Names.escapedJson(line));
        }
    }

    private static TopicPartition partitionOf(ConsumerRecord<byte[], byte[]> entry) {
        return new TopicPartition(entry.topic(), entry.partition());
    }

    private static boolean isAt(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }
}
