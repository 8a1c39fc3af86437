package io.kipimo.sdk.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;

/**
 * Properties that may be passed to Kafka clients. Any other property could let the author of the settings run code:
 * Kafka loads the classes, interceptors, configuration providers and login modules that properties name
 * (CVE-2023-25194, CVE-2024-31141, CVE-2025-27817, CVE-2025-27818).
 */
final class AllowedProperties {
    private static final String FILE = ".file";
    private static final String ENVIRONMENT = ".env";

    private static final Set<String> SECRETS = Set.of(
            SaslConfigs.SASL_JAAS_CONFIG,
            SslConfigs.SSL_TRUSTSTORE_PASSWORD_CONFIG,
            SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG,
            SslConfigs.SSL_KEY_PASSWORD_CONFIG,
            SslConfigs.SSL_KEYSTORE_KEY_CONFIG);

    private static final Set<String> PLAIN = Set.of(
            "security.protocol",
            SaslConfigs.SASL_MECHANISM,
            SaslConfigs.SASL_LOGIN_CALLBACK_HANDLER_CLASS,
            SaslConfigs.SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL,
            SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG,
            SslConfigs.SSL_TRUSTSTORE_TYPE_CONFIG,
            SslConfigs.SSL_TRUSTSTORE_CERTIFICATES_CONFIG,
            SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG,
            SslConfigs.SSL_KEYSTORE_TYPE_CONFIG,
            SslConfigs.SSL_KEYSTORE_CERTIFICATE_CHAIN_CONFIG,
            SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG,
            SslConfigs.SSL_PROTOCOL_CONFIG,
            SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG,
            SslConfigs.SSL_CIPHER_SUITES_CONFIG,
            "client.id",
            "client.dns.lookup",
            "client.rack",
            "request.timeout.ms",
            "default.api.timeout.ms",
            "connections.max.idle.ms",
            "metadata.max.age.ms",
            "reconnect.backoff.ms",
            "reconnect.backoff.max.ms",
            "retry.backoff.ms",
            "retry.backoff.max.ms",
            "socket.connection.setup.timeout.ms",
            "socket.connection.setup.timeout.max.ms",
            "send.buffer.bytes",
            "receive.buffer.bytes",
            "linger.ms",
            "batch.size",
            "buffer.memory",
            "compression.type",
            "delivery.timeout.ms",
            "max.request.size",
            "fetch.min.bytes",
            "fetch.max.bytes",
            "fetch.max.wait.ms",
            "max.partition.fetch.bytes",
            "max.poll.records",
            "max.poll.interval.ms",
            "session.timeout.ms",
            "heartbeat.interval.ms");

    /** Allowed values of keys that could load code, open connections, or disable a check. */
    private static final Map<String, Pattern> NARROWED = Map.of(
            "security.protocol",
            Pattern.compile("PLAINTEXT|SSL|SASL_PLAINTEXT|SASL_SSL"),
            SaslConfigs.SASL_MECHANISM,
            Pattern.compile("PLAIN|SCRAM-SHA-256|SCRAM-SHA-512|OAUTHBEARER"),
            SaslConfigs.SASL_LOGIN_CALLBACK_HANDLER_CLASS,
            Pattern.compile(
                    Pattern.quote("org.apache.kafka.common.security.oauthbearer." + "OAuthBearerLoginCallbackHandler")),
            SaslConfigs.SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL,
            Pattern.compile("https://[^\\s]+"),
            SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG,
            Pattern.compile("https"));

    private static final Set<String> LOGIN_MODULES = Set.of(
            "org.apache.kafka.common.security.plain.PlainLoginModule",
            "org.apache.kafka.common.security.scram.ScramLoginModule",
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule");

    private static final String LOGIN_MODULES_TEXT =
            "one login module, PlainLoginModule, ScramLoginModule or OAuthBearerLoginModule";

    private AllowedProperties() {}

    /** Whether a key's value is a secret itself, rather than the place of one. Such values are never shown. */
    static boolean isSecret(String key) {
        return SECRETS.contains(key);
    }

    /** One message for each problem; never contains a secret. */
    static List<String> problems(Map<String, String> properties) {
        List<String> problems = new ArrayList<>();
        new TreeMap<>(properties).forEach((key, value) -> check(key, value, properties, problems));
        return problems;
    }

    private static void check(String key, String value, Map<String, String> properties, List<String> problems) {
        String secret = referencedSecret(key);
        if (secret != null) {
            if (value.isBlank()) {
                problems.add(key + " is empty; allowed: where " + secret + " lies");
            }
            if (properties.containsKey(secret)
                    || (key.endsWith(FILE) && properties.containsKey(secret + ENVIRONMENT))) {
                problems.add(secret + " is given twice; allowed: one of " + forms(secret));
            }
        } else if (SECRETS.contains(key)) {
            secretProblem(key, value, problems);
        } else if (!PLAIN.contains(key)) {
            problems.add(
                    "'" + printable(key) + "' is not allowed; allowed: " + nearest(key) + "nothing that loads code");
        } else if (NARROWED.containsKey(key)) {
            Pattern allowed = NARROWED.get(key);
            if (!allowed.matcher(value).matches()) {
                problems.add("%s is '%s'; allowed: %s"
                        .formatted(
                                key,
                                printable(value),
                                allowed.pattern().replace("\\Q", "").replace("\\E", "")));
            }
        } else {
            typeProblem(key, value, problems);
        }
    }

    /** Allowed keys of the same family, as a hint for typing errors. */
    private static String nearest(String key) {
        int dot = key.indexOf('.');
        String family = (dot < 0 ? key : key.substring(0, dot)).toLowerCase(Locale.ROOT) + ".";
        List<String> near = new ArrayList<>();
        PLAIN.stream().filter(k -> k.startsWith(family)).sorted().forEach(near::add);
        SECRETS.stream().filter(k -> k.startsWith(family)).sorted().forEach(near::add);
        return near.isEmpty() ? "" : String.join(", ", near) + "; ";
    }

    private static void typeProblem(String key, String value, List<String> problems) {
        for (ConfigDef definition :
                List.of(ProducerConfig.configDef(), ConsumerConfig.configDef(), AdminClientConfig.configDef())) {
            ConfigDef.ConfigKey definitionOfKey = definition.configKeys().get(key);
            if (definitionOfKey == null) {
                continue;
            }
            try {
                Object parsed = ConfigDef.parseType(key, value, definitionOfKey.type);
                if (definitionOfKey.validator != null) {
                    definitionOfKey.validator.ensureValid(key, parsed);
                }
            } catch (ConfigException e) {
                problems.add("%s is '%s'; allowed: %s%s"
                        .formatted(
                                key,
                                printable(value),
                                definitionOfKey.type.name().toLowerCase(Locale.ROOT),
                                definitionOfKey.validator == null ? "" : " " + definitionOfKey.validator));
            }
            return;
        }
    }

    private static void secretProblem(String key, String value, List<String> problems) {
        if (value.isBlank()) {
            problems.add(key + " is empty; allowed: a value, or one of " + forms(key));
        } else if (key.equals(SaslConfigs.SASL_JAAS_CONFIG) && !isAllowedLogin(value)) {
            problems.add(key + " is refused; allowed: " + LOGIN_MODULES_TEXT);
        }
    }

    /** Uses Kafka's own parser, so that both find the same modules. */
    private static boolean isAllowedLogin(String jaas) {
        try {
            List<AppConfigurationEntry> entries = JaasContext.loadClientContext(
                            Map.of(SaslConfigs.SASL_JAAS_CONFIG, new Password(jaas)))
                    .configurationEntries();
            return entries.size() == 1 && LOGIN_MODULES.contains(entries.get(0).getLoginModuleName());
        } catch (RuntimeException e) {
            return false;
        }
    }

    /**
     * The properties, with references to secrets replaced by the secrets.
     *
     * @throws IllegalArgumentException if secrets cannot be read or are refused; lists all problems
     */
    static Map<String, String> withSecrets(Map<String, String> properties, UnaryOperator<String> environment) {
        Map<String, String> resolved = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        properties.forEach((key, value) -> {
            String secret = referencedSecret(key);
            if (secret == null) {
                resolved.put(key, value);
                return;
            }
            String text = key.endsWith(FILE) ? read(key, value, problems) : lookUp(key, value, environment, problems);
            if (text != null) {
                secretProblem(secret, text, problems);
                resolved.put(secret, text);
            }
        });
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return resolved;
    }

    private static String read(String key, String file, List<String> problems) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException | RuntimeException e) {
            problems.add(key + " is '" + printable(file) + "'; allowed: a readable text file");
            return null;
        }
    }

    private static String lookUp(
            String key, String variable, UnaryOperator<String> environment, List<String> problems) {
        String text = environment.apply(variable);
        if (text == null) {
            problems.add(key + " is '" + printable(variable) + "'; allowed: a variable that is set");
        }
        return text;
    }

    /** The secret that {@code key} refers to, or null. */
    private static String referencedSecret(String key) {
        for (String suffix : List.of(FILE, ENVIRONMENT)) {
            if (key.endsWith(suffix) && SECRETS.contains(key.substring(0, key.length() - suffix.length()))) {
                return key.substring(0, key.length() - suffix.length());
            }
        }
        return null;
    }

    private static String forms(String secret) {
        return secret + ", " + secret + FILE + ", " + secret + ENVIRONMENT;
    }

    static String printable(String text) {
        String shown = text.length() > 100 ? text.substring(0, 100) + "..." : text;
        return shown.replaceAll("\\p{Cntrl}", "?");
    }
}
