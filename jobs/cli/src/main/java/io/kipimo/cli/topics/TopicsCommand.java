package io.kipimo.cli.topics;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.jobs.options.BoundedOption;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo topics}: prints the topic catalogue, and which of its topics exist. */
@Command(
        name = "topics",
        description = {
            "Prints the topic catalogue: contents, key and retention of each topic.",
            "",
            "With brokers it prints which topics exist, and exits with 1 if some are missing. It "
                    + "warns of topics whose records carry only their writers' times.",
            "",
            "Other formats, which need no brokers: strimzi (KafkaTopics and KafkaUsers with their "
                    + "rights), acls (commands of kafka-acls.sh, for principals that are named as "
                    + "the users of strimzi), asyncapi (an AsyncAPI 3.0 document)."
        },
        footer = {
            "  kipimo topics",
            "  kipimo topics --bootstrap-servers localhost:9092 --create --replication 3",
            "  kipimo topics -o strimzi --replication 3 --strimzi-cluster prod | kubectl apply -f -",
            "  kipimo topics -o acls --topic-prefix shop. --group-id shop | sh"
        })
public final class TopicsCommand extends KafkaCommand implements OutputOption.WithFormats {
    private static final String STRIMZI = "strimzi";
    private static final String ACLS = "acls";
    private static final String ASYNCAPI = "asyncapi";

    @Option(names = "--create", description = "Create the topics that are missing.")
    private boolean create;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "0",
            description = "Of new topics, and in -o strimzi and asyncapi: partitions of topics that "
                    + "may have several; 0: the catalogue's number. Default: ${DEFAULT-VALUE}")
    private int partitions;

    @Option(
            names = "--replication",
            paramLabel = "N",
            defaultValue = "1",
            description = "Likewise: copies of each partition; use 3 where data matters. Default: ${DEFAULT-VALUE}")
    private short replication;

    @Option(
            names = "--group-id",
            paramLabel = "GROUP",
            description = "With -o strimzi, acls and asyncapi: source.group-id of the jobs. Default: kipimo")
    private String groups = KafkaOptions.GROUP_ID.option().defaultValue();

    @Option(
            names = "--strimzi-cluster",
            paramLabel = "NAME",
            defaultValue = "kafka",
            description = "With -o strimzi: name of the Kafka resource. Default: ${DEFAULT-VALUE}")
    private String cluster;

    @Override
    public List<String> ownFormats() {
        return List.of(STRIMZI, ACLS, ASYNCAPI);
    }

    @Override
    public Integer call() {
        if (output.own().isPresent()) {
            print(output.own().get(), output.out());
            return ExitCodes.FINE;
        }
        Optional<List<String>> missing = create ? Optional.of(createMissing()) : missing();
        if (missing.isPresent()) {
            warnOfWritersTimes();
        }
        output.print(() -> document(missing), table(missing)::print);
        return missing.isEmpty() || missing.get().isEmpty() ? ExitCodes.FINE : ExitCodes.NO;
    }

    private void print(String format, PrintWriter out) {
        check("--group-id", groups, KafkaOptions.GROUP_ID);
        check("--topic-prefix", kafka.prefix(), KafkaOptions.TOPIC_PREFIX);
        checkSizes();
        AccessList access = new AccessList(kafka.prefix(), groups);
        List<NewTopic> topics = TopicAdmin.wanted(kafka.prefix(), partitions, replication);
        switch (format) {
            case ACLS -> access.commands().forEach(out::println);
            case ASYNCAPI ->
                OutputOption.printYaml(
                        out, new AsyncApi(spec.root().version()[0].replace("kipimo ", ""), access).document(topics));
            default -> {
                InputException.throwIf(
                        !cluster.matches("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?"),
                        "--strimzi-cluster is '" + cluster + "'; allowed: a name of Kubernetes: a-z 0-9 - .");
                new Strimzi(cluster, access)
                        .resources(topics)
                        .forEach(resource -> OutputOption.printYaml(out, resource));
            }
        }
    }

    private static void check(String option, String value, BoundedOption<String> like) {
        InputException.throwIf(!like.check().allows(value), option + " is '" + value + "'; allowed: " + like.allowed());
    }

    private void checkSizes() {
        InputException.throwIf(
                partitions < 0 || partitions > 10_000, "--partitions is " + partitions + "; allowed: 0..10000");
        InputException.throwIf(replication < 1, "--replication is " + replication + "; allowed: at least 1");
    }

    private Optional<List<String>> missing() {
        if (kafka.settings().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(TopicAdmin.missing(kafka.connect()));
    }

    private List<String> createMissing() {
        checkSizes();
        KafkaSettings settings = kafka.connect();
        List<String> created = TopicAdmin.createMissing(settings, partitions, replication);
        created.forEach(name -> output.err().println("kipimo: created " + name));
        return TopicAdmin.missing(settings);
    }

    /** Warns of topics whose records have the writers' times. It is no error, because jobs work with such topics. */
    private void warnOfWritersTimes() {
        for (String name : TopicAdmin.withoutAppendTime(kafka.connect())) {
            output.err()
                    .println(("kipimo: message.timestamp.type of %s is CreateTime; wanted: LogAppendTime, or one "
                                    + "clock that is ahead can make others' records late while a backlog is read")
                            .formatted(name));
        }
    }

    private TextTable table(Optional<List<String>> missing) {
        List<String> titles =
                new ArrayList<>(List.of("topic", "message", "key", "partitions", "clean-up", "retention"));
        missing.ifPresent(m -> titles.add("exists"));
        titles.add("holds");
        TextTable table = new TextTable(titles);
        for (Topic topic : Topic.values()) {
            List<String> cells = new ArrayList<>(List.of(
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
            topics.add(new JsonObject()
                    .with("topic", kafka.name(topic))
                    .with("message", topic.message())
                    .with("key", topic.key())
                    .with("partitions", topic.partitions())
                    .with("cleanup", cleanup(topic))
                    .with("retentionDays", topic.retentionDays())
                    .withPresent("exists", missing.map(m -> !m.contains(kafka.name(topic))))
                    .with("holds", topic.holds()));
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
