package io.kipimo.redis;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Address of a Redis server, and settings for connecting to it. The password is kept in a file or an environment
 * variable, and is read when a client is created. With TLS, certificates are checked against the JVM's trust store, and
 * the host's name against the certificate.
 *
 * @param user user name; empty: the default user
 * @param passwordFile path of a file with the password; empty: none
 * @param passwordVariable name of an environment variable with the password; empty: none
 */
public record RedisSettings(
        String host, int port, String user, String passwordFile, String passwordVariable, boolean tls)
        implements Serializable {

    /**
     * @throws IllegalArgumentException if settings are out of range; the message lists each with its value and what is
     *     allowed
     */
    public RedisSettings {
        List<String> problems = new ArrayList<>();
        if (host.isBlank() || host.chars().anyMatch(c -> c <= ' ' || c == '/')) {
            problems.add(
                    "Redis host is '" + host.replaceAll("\\p{Cntrl}", "?") + "'; allowed: a host's name or address");
        }
        if (port < 1 || port > 65_535) {
            problems.add("Redis port is " + port + "; allowed: 1..65535");
        }
        if (!passwordFile.isEmpty() && !passwordVariable.isEmpty()) {
            problems.add("the Redis password is given twice; allowed: a file or a variable");
        }
        if (!user.isEmpty() && passwordFile.isEmpty() && passwordVariable.isEmpty()) {
            problems.add("Redis user is '" + user + "' without a password; allowed: both");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    /** Settings without password and TLS. */
    public static RedisSettings of(String host, int port) {
        return new RedisSettings(host, port, "", "", "", false);
    }

    /**
     * Returns the password; empty if none is set.
     *
     * @throws IllegalArgumentException if the password cannot be read
     */
    Optional<String> password(UnaryOperator<String> environment) {
        if (!passwordVariable.isEmpty()) {
            String password = environment.apply(passwordVariable);
            if (password == null) {
                throw new IllegalArgumentException(
                        "the Redis password's variable is '" + passwordVariable + "'; allowed: one that is set");
            }
            return Optional.of(password);
        }
        if (passwordFile.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readString(Path.of(passwordFile)).strip());
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "the Redis password's file is '" + passwordFile + "'; allowed: a readable text file", e);
        }
    }
}
