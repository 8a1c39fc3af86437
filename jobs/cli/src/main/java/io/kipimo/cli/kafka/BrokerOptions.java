package io.kipimo.cli.kafka;

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
import picocli.CommandLine.Option;

/** Options of every command that connects to brokers. */
public final class BrokerOptions {
    /** An unavailable broker is reported within this time, because a user waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT[,...]",
            defaultValue = "${env:KIPIMO_BOOTSTRAP_SERVERS}",
            description = "Kafka brokers. Default: KIPIMO_BOOTSTRAP_SERVERS.")
    private String bootstrapServers;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = Topic.DEFAULT_PREFIX,
            description = "Prefix of all topic names. Default: ${DEFAULT-VALUE}")
    private String prefix;

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description =
                    "Properties of Kafka clients (TLS, SASL, time-outs); properties that can load "
                            + "code are refused. Secrets: KEY.file or KEY.env.")
    private Path config;

    /** Full name of a topic. */
    public String name(Topic topic) {
        return topic.name(prefix);
    }

    /** Settings, if brokers are named in an option or the environment. */
    public Optional<KafkaSettings> settings() {
        Map<String, String> properties = config == null ? new TreeMap<>() : read(config);
        String inFile = properties.remove(BOOTSTRAP_SERVERS);
        String servers =
                bootstrapServers == null || bootstrapServers.isBlank() ? inFile : bootstrapServers;
        return Optional.ofNullable(servers).map(s -> new KafkaSettings(s, prefix, properties));
    }

    /**
     * Settings of a broker, whether or not it answers.
     *
     * @throws InputException if no broker was named
     */
    public KafkaSettings named() {
        return settings()
                .orElseThrow(
                        () ->
                                new InputException(
                                        "needs brokers: --bootstrap-servers or"
                                                + " KIPIMO_BOOTSTRAP_SERVERS"));
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
     * Settings of a broker that answers and has {@code topic}. Otherwise writers would wait for the
     * topic until their time-out, and report that the broker is unavailable.
     *
     * @throws InputException if no broker was named, or it does not have the topic
     * @throws io.kipimo.sdk.kafka.BrokerUnavailableException if none answers within 5 s
     */
    public KafkaSettings connect(Topic topic) {
        KafkaSettings settings = connect();
        if (TopicAdmin.missing(settings).contains(settings.name(topic))) {
            throw new InputException(
                    settings.name(topic) + " does not exist; kipimo topics --create creates it");
        }
        return settings;
    }

    private static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new InputException(
                    "--kafka-config " + file + " cannot be read: allowed: a properties file");
        }
        Map<String, String> map = new TreeMap<>();
        properties.forEach((key, value) -> map.put((String) key, ((String) value).strip()));
        return map;
    }
}
