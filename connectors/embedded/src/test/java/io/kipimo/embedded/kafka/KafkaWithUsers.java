package io.kipimo.embedded.kafka;

import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.common.security.plain.PlainLoginModule;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;

/**
 * A broker that allows users nothing but what its access lists say. Clients without a login, at
 * {@link #bootstrapServers}, may do everything.
 */
public final class KafkaWithUsers implements AutoCloseable {
    private static final String LOGIN_MODULE = PlainLoginModule.class.getName() + " required";

    private final ScratchDirectory logins = ScratchDirectory.create("logins");
    private final String loginServers = "127.0.0.1:" + FreePorts.one();
    private final EmbeddedKafka broker;

    /** @param users who may log in by {@link #settingsOf} */
    public KafkaWithUsers(List<String> users) {
        broker = EmbeddedKafka.start(0, settings -> letLogIn(users, settings));
    }

    private void letLogIn(List<String> users, Properties settings) {
        String listener = ",LOGIN://" + loginServers;
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

    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /** Settings of a client that logs in, with a prefix of topics. */
    public KafkaSettings settingsOf(String user, String prefix) {
        Path login = logins.path().resolve(user + ".jaas");
        try {
            Files.writeString(login, LOGIN_MODULE + " username=\"" + user + "\" password=\"" + user + "\";");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new KafkaSettings(
                loginServers,
                prefix,
                Map.of(
                        "security.protocol", "SASL_PLAINTEXT",
                        "sasl.mechanism", "PLAIN",
                        "sasl.jaas.config.file", login.toString()));
    }

    @Override
    public void close() {
        broker.close();
        logins.close();
    }
}
