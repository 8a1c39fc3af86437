package io.kipimo.cli.topics;

import io.kipimo.cli.kafka.BrokerOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kipimo topics}: the catalogue, and which of its topics exist. */
@Command(
        name = "topics",
        description = {
            "Prints the topic catalogue: contents, key and retention of each topic.",
            "",
            "With brokers it prints which topics exist, and exits with 1 if some are missing. It "
                    + "warns of topics whose records carry only their writers' times."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo topics",
            "  kipimo topics --bootstrap-servers localhost:9092 --create --replication 3"
        })
public final class TopicsCommand implements Callable<Integer> {
    @Mixin private BrokerOptions kafka;

    @Mixin private OutputOption output;

    @Option(names = "--create", description = "Create the topics that are missing.")
    private boolean create;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "With --create: partitions of topics that may have several; 0: the "
                            + "catalogue's number. Default: ${DEFAULT-VALUE}")
    private int partitions;

    @Option(
            names = "--replication",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "With --create: copies of each partition; use 3 where data matters. Default: "
                            + "${DEFAULT-VALUE}")
    private short replication;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        Optional<List<String>> missing = create ? Optional.of(createMissing()) : missing();
        if (missing.isPresent()) {
            warnOfWritersTimes();
        }
        PrintWriter out = spec.commandLine().getOut();
        if (output.isDocument()) {
            output.print(out, document(missing));
        } else {
            table(missing).print(out);
        }
        return missing.isEmpty() || missing.get().isEmpty() ? ExitCodes.FINE : ExitCodes.NO;
    }

    private Optional<List<String>> missing() {
        if (kafka.settings().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(TopicAdmin.missing(kafka.connect()));
    }

    private List<String> createMissing() {
        if (partitions < 0 || partitions > 10_000) {
            throw new InputException("--partitions is " + partitions + "; allowed: 0..10000");
        }
        if (replication < 1) {
            throw new InputException("--replication is " + replication + "; allowed: at least 1");
        }
        KafkaSettings settings = kafka.connect();
        List<String> created = TopicAdmin.createMissing(settings, partitions, replication);
        created.forEach(name -> spec.commandLine().getErr().println("kipimo: created " + name));
        return TopicAdmin.missing(settings);
    }

    /** A warning, not an error, because jobs work without it. */
    private void warnOfWritersTimes() {
        for (String name : TopicAdmin.withoutAppendTime(kafka.connect())) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "kipimo: message.timestamp.type of "
                                    + name
                                    + " is CreateTime; wanted: LogAppendTime, or one clock that is"
                                    + " ahead can make others' records late while a backlog is"
                                    + " read");
        }
    }

    private TextTable table(Optional<List<String>> missing) {
        List<String> titles =
                new ArrayList<>(
                        List.of("topic", "message", "key", "partitions", "clean-up", "retention"));
        missing.ifPresent(m -> titles.add("exists"));
        titles.add("holds");
        TextTable table = new TextTable(titles);
        for (Topic topic : Topic.values()) {
            List<String> cells =
                    new ArrayList<>(
                            List.of(
                                    kafka.name(topic),
                                    topic.message(),
                                    topic.key(),
                                    Integer.toString(topic.partitions()),
                                    cleanup(topic),
                                    retention(topic)));
            missing.ifPresent(m -> cells.add(m.contains(kafka.name(topic)) ? "no" : "yes"));
            cells.add(topic.holds());
            table.row(cells);
        }
        return table;
    }

    private List<Map<String, Object>> document(Optional<List<String>> missing) {
        List<Map<String, Object>> topics = new ArrayList<>();
        for (Topic topic : Topic.values()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("topic", kafka.name(topic));
            entry.put("message", topic.message());
            entry.put("key", topic.key());
            entry.put("partitions", topic.partitions());
            entry.put("cleanup", cleanup(topic));
            entry.put("retentionDays", topic.retentionDays());
            missing.ifPresent(m -> entry.put("exists", !m.contains(kafka.name(topic))));
            entry.put("holds", topic.holds());
            topics.add(entry);
        }
        return topics;
    }

    private static String cleanup(Topic topic) {
        return topic.cleanup().name().toLowerCase(Locale.ROOT);
    }

    private static String retention(Topic topic) {
        return switch (topic.retentionDays()) {
            case 0 -> "newest of each key";
            case 1 -> "1 day";
            default -> topic.retentionDays() + " days";
        };
    }
}
