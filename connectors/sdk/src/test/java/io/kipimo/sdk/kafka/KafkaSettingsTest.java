package io.kipimo.sdk.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.topics.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaSettingsTest {
    private static final String SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required"
            + " username=\"me\" password=\"canary\";";

    private static KafkaSettings with(Map<String, String> properties) {
        return new KafkaSettings("broker:9092", "kipimo.", properties);
    }

    @Test
    void topicsCarryThePrefix() {
        assertThat(KafkaSettings.of("broker:9092").name(Topic.ANSWERS)).isEqualTo("kipimo.answers");
    }

    @Test
    void everyProblemIsNamedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KafkaSettings(
                        "broker",
                        "a/b",
                        Map.of(
                                "linger.ms", "soon",
                                "interceptor.classes", "evil.Interceptor",
                                "security.protocol", "TRUST_ME")))
                .withMessageContaining("bootstrap server is 'broker'; allowed: host:port")
                .withMessageContaining("topic prefix is 'a/b'")
                .withMessageContaining("linger.ms is 'soon'; allowed: long")
                .withMessageContaining("'interceptor.classes' is not allowed")
                .withMessageContaining("security.protocol is 'TRUST_ME'; allowed: PLAINTEXT|SSL");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "key.serializer",
                "value.serializer",
                "key.deserializer",
                "value.deserializer",
                "interceptor.classes",
                "metric.reporters",
                "config.providers",
                "config.providers.file.class",
                "config.providers.env.param.allowlist.pattern",
                "partitioner.class",
                "partition.assignment.strategy",
                "sasl.client.callback.handler.class",
                "sasl.login.class",
                "sasl.oauthbearer.jwt.retriever.class",
                "sasl.oauthbearer.jwt.validator.class",
                "sasl.oauthbearer.assertion.file",
                "sasl.oauthbearer.jwks.endpoint.url",
                "sasl.kerberos.kinit.cmd",
                "sasl.kerberos.service.name",
                "ssl.engine.factory.class",
                "ssl.provider",
                "ssl.trustmanager.algorithm",
                "ssl.keymanager.algorithm",
                "ssl.secure.random.implementation",
                "security.providers",
                "bootstrap.servers",
                "group.id",
                "transactional.id",
                "enable.idempotence",
                "acks",
                "SASL.JAAS.CONFIG",
                " sasl.jaas.config",
                "sasl.jaas.config.file.file",
                "java.security.auth.login.config",
                ""
            })
    void keysThatLoadCodeOrAreOursAreRefused(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(Map.of(key, "x")))
                .withMessageContaining("'" + key + "' is not allowed");
    }

    @ParameterizedTest
    @CsvSource({
        "sasl.mechanism, GSSAPI",
        "ssl.endpoint.identification.algorithm, none",
        "sasl.login.callback.handler.class, evil.Handler",
        "sasl.oauthbearer.token.endpoint.url, file:///etc/passwd",
        "sasl.oauthbearer.token.endpoint.url, http://metadata/",
        "max.poll.records, 0",
        "compression.type, rar"
    })
    void dangerousValuesAreRefused(String key, String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(Map.of(key, value)))
                .withMessageContaining(key + " is '" + value + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.sun.security.auth.module.JndiLoginModule required user.provider.url=\"ldap://x\";",
                "com.sun.security.auth.module.LdapLoginModule required password=\"canary\";",
                "com.sun.security.auth.module.Krb5LoginModule required;",
                "org.apache.kafka.common.security.plain.PlainLoginModule required password=\"canary\";"
                        + " com.sun.security.auth.module.JndiLoginModule required;",
                "org.apache.kafka.common.security.plain.PlainLoginModule required password=\"canary",
                "canary"
            })
    void otherLoginModulesAreRefusedWithoutShowingSecrets(String jaas) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(Map.of("sasl.jaas.config", jaas)))
                .withMessageContaining("sasl.jaas.config is refused")
                .withMessageNotContaining("canary");
    }

    @Test
    void clientsGetTheirOwnPropertiesOnly() {
        KafkaSettings settings = with(Map.of(
                "security.protocol", "SASL_SSL",
                "sasl.jaas.config", SCRAM,
                "linger.ms", "7",
                "max.poll.records", "9"));
        assertThat(settings.forProducer())
                .containsEntry("bootstrap.servers", "broker:9092")
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("sasl.jaas.config", SCRAM)
                .containsEntry("linger.ms", "7")
                .doesNotContainKey("max.poll.records");
        assertThat(settings.forConsumer())
                .containsEntry("max.poll.records", "9")
                .doesNotContainKey("linger.ms");
        assertThat(settings.forAdmin()).doesNotContainKeys("linger.ms", "max.poll.records");
    }

    @Test
    void secretsAreNeverShown() {
        assertThat(with(Map.of("sasl.jaas.config", SCRAM, "ssl.key.password", "canary"))
                        .toString())
                .contains("sasl.jaas.config=(hidden)")
                .doesNotContain("canary");
    }

    @Test
    void secretsMayLieInAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("jaas"), SCRAM + "\n");
        KafkaSettings settings = with(Map.of("sasl.jaas.config.file", file.toString()));
        assertThat(settings.forAdmin())
                .containsEntry("sasl.jaas.config", SCRAM)
                .doesNotContainKey("sasl.jaas.config.file");
        assertThat(settings.toString()).doesNotContain("canary");
    }

    @Test
    void secretsMayLieInAVariable() {
        assertThat(AllowedProperties.withSecrets(Map.of("ssl.key.password.env", "KEY"), name -> name + "-value"))
                .isEqualTo(Map.of("ssl.key.password", "KEY-value"));
    }

    @Test
    void secretsThatCannotBeReadAreAllNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllowedProperties.withSecrets(
                        Map.of(
                                "sasl.jaas.config.file", "/no/such/file",
                                "ssl.key.password.env", "NOT_SET"),
                        name -> null))
                .withMessageContaining("sasl.jaas.config.file is '/no/such/file'")
                .withMessageContaining("ssl.key.password.env is 'NOT_SET'");
    }

    @Test
    void aFilesLoginModuleIsCheckedToo(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("jaas"), "com.sun.security.auth.module.JndiLoginModule required x=\"canary\";");
        KafkaSettings settings = with(Map.of("sasl.jaas.config.file", file.toString()));
        assertThatIllegalArgumentException()
                .isThrownBy(settings::forProducer)
                .withMessageContaining("sasl.jaas.config is refused")
                .withMessageNotContaining("canary");
    }

    @Test
    void aSecretIsGivenOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(Map.of(
                        "ssl.key.password", "canary",
                        "ssl.key.password.file", "/run/secret")))
                .withMessageContaining("ssl.key.password is given twice")
                .withMessageNotContaining("canary");
    }
}
