package io.kipimo.harness.kafka;

import io.kipimo.harness.process.FreePorts;
import io.kipimo.harness.process.ScratchDirectory;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.security.plain.PlainLoginModule;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;

/**
 * One KRaft broker and controller on the loopback address. Its data is deleted when it is closed. Topics are not
 * created automatically.
 */
public final class EmbeddedKafka implements AutoCloseable {
    static {
        // A broker ends the JVM on a fatal fault; here that would end the test's JVM.
        Exit.setExitProcedure(EmbeddedKafka::refuseToEnd);
        Exit.setHaltProcedure(EmbeddedKafka::refuseToEnd);
    }

    private static final String LOGIN_MODULE = PlainLoginModule.class.getName() + " required";

    private final ScratchDirectory data = ScratchDirectory.create("kafka");
    private final BrokerNode node;
    private final List<String> users;
    private final int loginPort;
    private KafkaRaftServer server;

    private EmbeddedKafka(int port, List<String> users) {
        this.users = List.copyOf(users);
        node = BrokerNode.create(1, port, data.path());
        loginPort = users.isEmpty() ? 0 : FreePorts.one();
    }

    /** Starts an empty broker on free ports. Returns when it accepts requests. */
    public static EmbeddedKafka start() {
        return start(0);
    }

    /**
     * Starts an empty broker. Returns when it accepts requests.
     *
     * @param port for clients; 0: a free one
     */
    public static EmbeddedKafka start(int port) {
        return start(new EmbeddedKafka(port, List.of()));
    }

    /**
     * Starts an empty broker that allows users nothing but what its access lists say. Clients without a login, at
     * {@link #bootstrapServers}, may do everything.
     *
     * @param users who may log in by {@link #settingsOf}
     */
    public static EmbeddedKafka startWithUsers(List<String> users) {
        return start(new EmbeddedKafka(0, users));
    }

    private static EmbeddedKafka start(EmbeddedKafka kafka) {
        try {
            kafka.node.format(BrokerNode.newClusterId());
            kafka.restart();
            return kafka;
        } catch (RuntimeException e) {
            kafka.close();
            throw e;
        }
    }

    /** {@code host:port}; unchanged by a restart. */
    public String bootstrapServers() {
        return node.address();
    }

    /** Settings of a client that logs in, with a prefix of topics. */
    public KafkaSettings settingsOf(String user, String prefix) {
        Path login = data.path().resolve(user + ".jaas");
        try {
            Files.writeString(login, LOGIN_MODULE + " username=\"" + user + "\" password=\"" + user + "\";");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new KafkaSettings(
                loginServers(),
                prefix,
                Map.of(
                        "security.protocol", "SASL_PLAINTEXT",
                        "sasl.mechanism", "PLAIN",
                        "sasl.jaas.config.file", login.toString()));
    }

    private String loginServers() {
        return "127.0.0.1:" + loginPort;
    }

    /** Stops it; keeps its data and its address. */
    public void stop() {
        if (server != null) {
            server.shutdown();
            server.awaitShutdown();
            server = null;
        }
    }

    /** Starts it again with the data and address from before {@link #stop}. */
    public void restart() {
        stop();
        Properties settings = node.settings(List.of(node));
        if (!users.isEmpty()) {
            letUsersLogIn(settings);
        }
        server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
        server.startup();
    }

    private void letUsersLogIn(Properties settings) {
        String listener = ",LOGIN://" + loginServers();
        settings.merge("listeners", listener, (a, b) -> a + String.valueOf(b));
        settings.merge("advertised.listeners", listener, (a, b) -> a + String.valueOf(b));
        settings.merge("listener.security.protocol.map", ",LOGIN:SASL_PLAINTEXT", (a, b) -> a + String.valueOf(b));
        settings.setProperty("listener.name.login.sasl.enabled.mechanisms", "PLAIN");
        settings.setProperty(
                "listener.name.login.plain.sasl.jaas.config",
                users.stream()
                        .map(user -> " user_" + user + "=\"" + user + "\"")
                        .collect(Collectors.joining("", LOGIN_MODULE, ";")));
        settings.setProperty("authorizer.class.name", StandardAuthorizer.class.getName());
        settings.setProperty("super.users", "User:ANONYMOUS");
    }

    @Override
    public void close() {
        try {
            stop();
        } finally {
            data.close();
        }
    }

    private static void refuseToEnd(int status, String message) {
        throw new IllegalStateException("the broker wanted to end the JVM with status " + status + ": " + message);
    }
}
