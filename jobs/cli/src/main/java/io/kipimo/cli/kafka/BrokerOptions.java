package io.kipimo.cli.kafka;

import io.kipimo.cli.terminal.Contexts;
import io.kipimo.cli.terminal.GlobalOptions;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of every command that connects to brokers. */
public final class BrokerOptions {
    /** Time within which an unavailable broker is reported, because a user waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT[,...]",
            defaultValue = "${env:KIPIMO_BOOTSTRAP_SERVERS}",
            description = "Kafka brokers. Default: KIPIMO_BOOTSTRAP_SERVERS, or the context's.")
    private String bootstrapServers;

    @Option(
            names = {"--topic-prefix", "--prefix"},
            paramLabel = "PREFIX",
            description = "Prefix of all topic names. Default: the context's, or " + Topic.DEFAULT_PREFIX)
    private String prefix;

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description = "Properties of Kafka clients (TLS, SASL, time-outs); properties that can load "
                    + "code are refused. Secrets: KEY.file or KEY.env.")
    private Path config;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** Full name of a topic. */
    public String name(Topic topic) {
        return topic.name(prefix());
    }

    /** Prefix of all topic names. */
    public String prefix() {
        return prefix == null
                ? context("topic-prefix").or(() -> context("prefix")).orElse(Topic.DEFAULT_PREFIX)
                : prefix;
    }

    /**
     * Reads an option of the context, unless an option or the environment names brokers. A context applies as a whole,
     * because its file may have credentials that other brokers must not get.
     */
    private Optional<String> context(String option) {
        boolean isNamed = config != null || !(bootstrapServers == null || bootstrapServers.isBlank());
        InputException.throwIf(
                isNamed && GlobalOptions.of(command).isContextGiven(),
                "--context is given, and brokers by --bootstrap-servers,"
                        + " KIPIMO_BOOTSTRAP_SERVERS or --kafka-config; allowed: one of them");
        return isNamed ? Optional.empty() : Contexts.value(command, option);
    }

    /** Kafka settings; empty if neither an option, the environment nor a context names brokers. */
    public Optional<KafkaSettings> settings() {
        Optional<Path> file = context("kafka-config").map(Path::of).or(() -> Optional.ofNullable(config));
        Map<String, String> properties = file.map(BrokerOptions::read).orElseGet(TreeMap::new);
        String inFile = properties.remove(BOOTSTRAP_SERVERS);
        return Optional.ofNullable(bootstrapServers)
                .filter(servers -> !servers.isBlank())
                .or(() -> context("bootstrap-servers"))
                .or(() -> Optional.ofNullable(inFile))
                .map(servers -> new KafkaSettings(servers, prefix(), properties));
    }

    /**
     * Settings of a broker, whether or not it answers.
     *
     * @throws InputException if no broker was named
     */
    public KafkaSettings named() {
        return settings()
                .orElseThrow(() -> new InputException(
                        "needs brokers: --bootstrap-servers, KIPIMO_BOOTSTRAP_SERVERS or a context"));
    }

    /**
     * Settings of a broker that answers.
     *
     * @throws InputException if no broker was named
     * @throws io.kipimo.sdk.kafka.BrokerUnavailableException if none answers within 5 s
     */
    public KafkaSettings connect() {
        KafkaSettings settings = named();
        TopicAdmin.awaitBroker(settings, PATIENCE);
        return settings;
    }

    /**
     * Settings of a broker that answers and has {@code topic}. Otherwise writers would wait for the topic until their
     * time-out, and report that the broker is unavailable.
     *
     * @throws InputException if no broker was named, or it does not have the topic
     * @throws io.kipimo.sdk.kafka.BrokerUnavailableException if none answers within 5 s
     */
    public KafkaSettings connect(Topic topic) {
        KafkaSettings settings = connect();
        InputException.throwIf(
                TopicAdmin.missing(settings).contains(settings.name(topic)),
                settings.name(topic) + " does not exist; kipimo topics --create creates it");
        return settings;
    }

    private static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new InputException("--kafka-config " + file + " cannot be read: allowed: a properties file");
        }
        Map<String, String> map = new TreeMap<>();
        properties.forEach((key, value) -> map.put((String) key, ((String) value).strip()));
        return map;
    }
}
