package io.kipimo.cli.rating;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.loadgen.http.HttpTarget;
import io.kipimo.loadgen.http.HttpTargetSettings;
import io.kipimo.loadgen.memcached.MemcachedTarget;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.TargetService;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of commands that load targets, of whatever kind. */
final class TargetOptions {
    private static final String ALLOWED =
            "http[s]://HOST[:PORT][/PATH], redis[s]://[[user]:password@]host[:port][/db],"
                    + " memcached://HOST[:PORT], command:COMMAND, or a scheme of a TargetService"
                    + " on KIPIMO_EXTRA_CLASSPATH";

    @Mixin private HttpOptions http;

    @Mixin private SocialOptions social;

    @Option(
            names = "--request",
            paramLabel = "COMMAND",
            description =
                    "redis://, memcached://: command to send, with placeholders as in --target,"
                            + " such as 'GET key-{random:1000}' or 'set k 0 0 2\\n{random:90}';"
                            + " default for Redis: the social workload.")
    private String request;

    /**
     * A target to be opened, after its options were checked.
     *
     * @throws InputException naming the invalid option
     */
    Supplier<Target> target(String url) {
        int colon = url.indexOf(':');
        String scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
        Optional<TargetService> service =
                ServiceLoader.load(TargetService.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(s -> s.scheme().equals(scheme))
                        .findFirst();
        if (service.isPresent()) {
            return () -> service.get().open(url);
        }
        switch (scheme) {
            case "http", "https" -> {
                HttpTargetSettings settings = http.settings(url);
                return () -> new HttpTarget(settings);
            }
            case "redis", "rediss" -> {
                Target store =
                        request == null
                                ? social.target(url)
                                : social.commands(url, request, http.readLines());
                return () -> store;
            }
            case "memcached" -> {
                if (request == null) {
                    throw new InputException(
                            "--request is missing; allowed with memcached://: a command, such as"
                                    + " 'get key-{random:1000}'");
                }
                Target store =
                        new MemcachedTarget(url, request, http.readLines(), http.timeOutMillis());
                return () -> store;
            }
            default -> throw new InputException("--target is '" + url + "'; allowed: " + ALLOWED);
        }
    }
}
