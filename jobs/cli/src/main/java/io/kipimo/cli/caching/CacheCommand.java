package io.kipimo.cli.caching;

import io.kipimo.caching.purge.KeyPaths;
import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.HostPort;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.http.PageServer;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.sdk.internal.net.Address;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** A command that runs beside caches until it is stopped. It can serve its health and metrics by HTTP. */
abstract class CacheCommand extends KafkaCommand {
    @Option(
            names = "--record-path",
            defaultValue = "/{table}/{key}",
            paramLabel = "PATH",
            description = "Path of a record, with {service}, {table} and {key}; a key that begins with "
                    + "a slash is a path itself. Default: ${DEFAULT-VALUE}")
    private String recordPath;

    @Option(
            names = "--query-path",
            defaultValue = "/{table}/{key}",
            paramLabel = "PATH",
            description = "Path of a query's result, likewise. Default: ${DEFAULT-VALUE}")
    private String queryPath;

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "Address of /healthz and /metrics; port 0 is any free port. Default: no pages.")
    private String admin;

    /**
     * The paths at which caches and origins serve records and query results.
     *
     * @throws IllegalArgumentException if an option is not a path, or has no key
     */
    KeyPaths paths() {
        return new KeyPaths(recordPath, queryPath);
    }

    /**
     * The address at which to serve health and metrics; empty if they are not served.
     *
     * @throws InputException if the option is not an address
     */
    Optional<Address> pages() {
        return Optional.ofNullable(admin).map(text -> HostPort.parse("--admin", text));
    }

    /** Starts a server for these metrics; returns null if no address is given. */
    static PageServer serve(Optional<Address> at, Supplier<String> metrics) throws IOException, InterruptedException {
        return at.isEmpty()
                ? null
                : PageServer.ofMetrics(at.get().host(), at.get().port(), metrics);
    }

    /**
     * Prints the given description of the command's work, and the address at which {@link #serve} serves the metrics.
     */
    void printServing(JsonObject document, String text, Optional<Address> at, PageServer server) {
        Optional<String> page = at.map(a -> "http://" + new Address(a.host(), server.port()) + "/metrics");
        output.print(() -> document.withPresent("metrics", page), out -> {
            out.println(text);
            page.ifPresent(url -> out.println("metrics at " + url));
        });
    }
}
