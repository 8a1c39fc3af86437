package io.kipimo.cli.redis;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.redis.RedisSettings;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options with the address of Redis, for every command that connects to one. */
public final class RedisAddressOptions {
    private static final Pattern ADDRESS = Pattern.compile("(.+):(\\d{1,5})");

    @Option(
            names = "--redis",
            required = true,
            paramLabel = "HOST:PORT",
            description = "The Redis that holds the data.")
    private String redis;

    @Option(
            names = "--redis-user",
            defaultValue = "",
            paramLabel = "NAME",
            description = "User in Redis' access control list. Default: the default user.")
    private String user;

    @Option(
            names = "--redis-password-file",
            defaultValue = "",
            paramLabel = "FILE",
            description = "File whose first line is the password. Default: no password.")
    private String passwordFile;

    @Option(names = "--redis-tls", description = "Use TLS.")
    private boolean tls;

    /**
     * Builds the settings of a Redis without connecting to it.
     *
     * @throws InputException if the address is invalid
     * @throws IllegalArgumentException if host, port or user is invalid
     */
    public RedisSettings named() {
        Matcher address = ADDRESS.matcher(redis);
        InputException.throwIf(!address.matches(), "--redis is '" + redis + "'; allowed: HOST:PORT");
        return new RedisSettings(address.group(1), Integer.parseInt(address.group(2)), user, passwordFile, "", tls);
    }
}
