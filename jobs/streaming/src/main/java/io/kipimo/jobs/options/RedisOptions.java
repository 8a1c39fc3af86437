package io.kipimo.jobs.options;

import io.kipimo.redis.RedisSettings;
import java.util.List;
import java.util.Optional;

/** Options of the Redis that also receives a job's decisions. */
public final class RedisOptions {
    private static final Options GROUP = new Options();

    public static final BoundedOption<String> HOST = GROUP.text(
            "redis.host",
            "",
            "[A-Za-z0-9._:-]{0,255}",
            "a host name or address, or nothing",
            "Redis that also receives what the job decides; empty: none.");
    public static final BoundedOption<Integer> PORT = GROUP.integer("redis.port", 6379, 1, 65535, "Port of Redis.");
    public static final BoundedOption<String> USER = GROUP.text(
            "redis.user",
            "",
            "\\S{0,255}",
            "at most 255 characters without blanks",
            "User in Redis' access control list; empty: the default user.");
    public static final BoundedOption<String> PASSWORD_FILE = GROUP.text(
            "redis.password-file",
            "",
            ".{0,4096}",
            "the path of a readable file, or nothing",
            "File whose first line is the password; empty: no password.");
    public static final BoundedOption<Boolean> TLS = GROUP.flag("redis.tls", false, "Whether to use TLS.");

    private RedisOptions() {}

    public static List<BoundedOption<?>> all() {
        return GROUP.all();
    }

    /** Reads the settings, for a job that has no other options of its own. */
    public static Optional<Optional<RedisSettings>> read(OptionSet.OptionReader reader) {
        return Optional.of(settings(reader));
    }

    /** Reads the settings; empty if no host is set, or if there are problems. */
    static Optional<RedisSettings> settings(OptionSet.OptionReader reader) {
        String host = reader.get(HOST);
        int port = reader.get(PORT);
        String user = reader.get(USER);
        String passwordFile = reader.get(PASSWORD_FILE);
        boolean tls = reader.get(TLS);
        return host.isEmpty()
                ? Optional.empty()
                : reader.make(() -> new RedisSettings(host, port, user, passwordFile, "", tls));
    }
}
