package io.kipimo.cli.conform;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.OpenTransaction;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo conform}: checks the records that a service emits. */
@Command(
        name = "conform",
        description = {
            "Reads the records of services (answers, partials, observations) and reports faults, the"
                    + " most important first: for services that emit without the SDK or a gateway.",
            "",
            "Exits with 0 if there is no fault, 1 if there is one, 3 if nothing was emitted."
        },
        footer = {
            "  kipimo conform --for 1m --service shop-search",
            "  kipimo conform --topic-prefix staging. --from-beginning --json",
            "  kipimo conform --rate 0.2"
        })
public final class ConformCommand extends KafkaCommand {
    private static final List<Topic> EMITTED = List.of(Topic.ANSWERS, Topic.PARTIALS, Topic.OBSERVATIONS);
    private static final Duration POLL = Duration.ofMillis(250);

    /**
     * Greatest margin at either end of the reading, in milliseconds. A query first seen in a margin may have events
     * that were not read.
     */
    private static final long LONGEST_GRACE_MILLIS = 10_000;

    @Option(
            names = "--service",
            paramLabel = "NAME",
            description = "Checks only records of this service. Default: all services.")
    private String service;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long to read: 45s, 30m, 2h. Default: ${DEFAULT-VALUE}")
    private String time;

    @Option(names = "--from-beginning", description = "Check the current content of the topics instead of new records.")
    private boolean fromBeginning;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Sampling rate, 0..1, that emitters apply without a decision. Default: estimated"
                    + " from the counts.")
    private Double initialRate;

    @Override
    public Integer call() {
        Duration span = TimeSpan.parse("--for", time);
        InputException.throwIf(
                initialRate != null && !(initialRate >= 0 && initialRate <= 1),
                "--rate is " + initialRate + "; allowed: 0..1");
        KafkaSettings settings = connect();
        long begun = System.currentTimeMillis();
        EmittedRecords records;
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings.forReader(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            records = read(consumer, settings, span);
        } catch (KafkaException e) {
            throw new InputException("cannot read " + settings.topicPrefix() + "*: " + e.getMessage());
        }
        long grace = Math.min(LONGEST_GRACE_MILLIS, span.toMillis() / 4);
        List<ConformFinding> findings = new ArrayList<>(hanging(settings));
        findings.addAll(
                fromBeginning
                        ? records.findings(0, Long.MAX_VALUE)
                        : records.findings(begun + grace, System.currentTimeMillis() - grace));
        print(records, findings);
        if (findings.stream().anyMatch(f -> f.rule().isWrong())) {
            return ExitCodes.NO;
        }
        return records.read() == 0 ? ExitCodes.NOT_ENOUGH : ExitCodes.FINE;
    }

    private static List<ConformFinding> hanging(KafkaSettings settings) {
        return TopicAdmin.openTransactions(settings, System.currentTimeMillis()).stream()
                .filter(OpenTransaction::hangs)
                .map(open -> new ConformFinding(Rule.OPEN_TRANSACTION, "", open.waiting(), open.toString()))
                .toList();
    }

    private KafkaSettings connect() {
        KafkaSettings settings = kafka.connect();
        List<String> missing = new ArrayList<>(TopicAdmin.missing(settings));
        missing.retainAll(EMITTED.stream().map(settings::name).toList());
        InputException.throwIf(
                !missing.isEmpty(), String.join(", ", missing) + " does not exist; kipimo topics --create creates it");
        return settings;
    }

    private EmittedRecords read(KafkaConsumer<byte[], byte[]> consumer, KafkaSettings settings, Duration span) {
        Map<Topic, Integer> counts = new EnumMap<>(Topic.class);
        Map<String, Topic> byName = new HashMap<>();
        List<TopicPartition> partitions = new ArrayList<>();
        for (Topic topic : EMITTED) {
            String name = settings.name(topic);
            byName.put(name, topic);
            consumer.partitionsFor(name).forEach(p -> partitions.add(new TopicPartition(name, p.partition())));
            counts.put(topic, (int)
                    partitions.stream().filter(p -> p.topic().equals(name)).count());
        }
        EmittedRecords records =
                new EmittedRecords(counts, Optional.ofNullable(service), rate(settings), policies(settings));
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        consumer.assign(partitions);
        if (fromBeginning) {
            consumer.seekToBeginning(partitions);
        } else {
            ends.forEach(consumer::seek);
        }
        long deadline = System.nanoTime() + span.toNanos();
        while (fromBeginning ? !isAt(consumer, ends) : System.nanoTime() < deadline) {
            for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(POLL)) {
                records.take(byName.get(entry.topic()), entry);
            }
        }
        return records;
    }

    private static boolean isAt(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private static Map<String, Policy> policies(KafkaSettings settings) {
        return TopicAdmin.missing(settings).contains(settings.name(Topic.POLICIES))
                ? Map.of()
                : PolicyStore.readAll(settings);
    }

    /** The highest rate at which queries may have been sampled; empty if no rate was given by option. */
    private OptionalDouble rate(KafkaSettings settings) {
        if (initialRate == null) {
            return OptionalDouble.empty();
        }
        double[] highest = {initialRate};
        if (!TopicAdmin.missing(settings).contains(settings.name(Topic.SAMPLING))) {
            TopicReader.read(settings, Topic.SAMPLING, 0, Codecs.DECISION, decision -> {
                if (decision.controller().equals(Decision.SAMPLING)
                        && decision.mode().isEffective()
                        && (service == null || decision.scope().equals(service))) {
                    highest[0] = Math.max(highest[0], decision.value());
                }
            });
        }
        return OptionalDouble.of(highest[0]);
    }

    private void print(EmittedRecords records, List<ConformFinding> findings) {
        output.print(
                () -> new JsonObject()
                        .with("records", records.read())
                        .with("services", List.copyOf(records.services()))
                        .with(
                                "conforms",
                                records.read() > 0
                                        && findings.stream()
                                                .noneMatch(f -> f.rule().isWrong()))
                        .with(
                                "findings",
                                findings.stream().map(ConformFinding::document).toList()),
                out -> print(out, records, findings));
    }

    private static void print(PrintWriter out, EmittedRecords records, List<ConformFinding> findings) {
        out.println("%s records of %s"
                .formatted(
                        records.read(),
                        records.services().isEmpty() ? "no service" : String.join(", ", records.services())));
        if (records.read() == 0) {
            out.println("Nothing was emitted.");
        } else if (findings.isEmpty()) {
            out.println("Nothing is wrong.");
        }
        for (ConformFinding finding : findings) {
            Rule rule = finding.rule();
            out.println();
            out.println((rule.isWrong() ? "WRONG   " : "REMARK  ")
                    + (finding.service().isEmpty() ? "" : finding.service() + ": ")
                    + rule.text()
                    + ": "
                    + finding.count());
            out.println("        " + finding.example());
            out.println("        " + rule.advice());
        }
    }
}
