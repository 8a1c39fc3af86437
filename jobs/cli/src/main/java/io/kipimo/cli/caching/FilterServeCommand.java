package io.kipimo.cli.caching;

import io.kipimo.caching.filter.FilterPublisher;
import io.kipimo.caching.filter.FilterServer;
import io.kipimo.cli.redis.RedisAddressOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FreshnessSettings;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.redis.RedisSettings;
import io.kipimo.redis.RedisStaleKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo filter serve}: serves the filter of stale keys by HTTP. */
@Command(
        name = "serve",
        description = {
            "Serves the filter of some tables' stale keys from Redis, at /stale-filter, with ETag "
                    + "and gzip, and /healthz beside it. Runs until it is stopped.",
            "",
            "While Redis is unavailable the answer is 503, and clients revalidate every read. So it is for the "
                    + "longest time to live after Redis came back empty, or with older content, and at first: "
                    + "'kipimo filter begin' says of a new table that nothing was handed out."
        },
        footer = {
            "  kipimo filter serve --redis localhost:6379 --table shop/products",
            "  kipimo filter serve --redis redis:6379 --table shop/products --table shop/reviews --host 0.0.0.0"
        })
final class FilterServeCommand extends PrintingCommand {
    private static final Pattern TABLE = Pattern.compile("[^\\s/]+/[^\\s/]+");

    @Mixin
    private RedisAddressOptions redis;

    @Option(
            names = "--table",
            required = true,
            paramLabel = "SERVICE/TABLE",
            description = "A table; repeat it for the union of several.")
    private List<String> tables;

    @Option(
            names = "--bits",
            paramLabel = "N",
            description = "Bits of the filter; must equal the job's filter.bits. Default: that option's default.")
    private int bits = FilterShape.ONE_ROUND_TRIP.bits();

    @Option(
            names = "--hashes",
            paramLabel = "N",
            description = "Hashes for each key; must equal the job's filter.hashes. Default: that option's default.")
    private int hashes = FilterShape.ONE_ROUND_TRIP.hashes();

    @Option(
            names = "--longest-ttl-millis",
            paramLabel = "N",
            description = "Longest time to live that is handed out; must equal the job's ttl.longest. "
                    + "Default: that option's default.")
    private long longestTtlMillis = FreshnessSettings.DEFAULT.longestTtlMillis();

    @Option(
            names = "--cors-origin",
            paramLabel = "https://HOST",
            description = "An origin of pages that may read the filter; * is any; repeat it for several. "
                    + "Default: only the server's own.")
    private List<String> origins = List.of();

    @Option(
            names = "--kept-millis",
            defaultValue = "50",
            paramLabel = "N",
            description = "How long a filter is served before it is read from Redis again, 0..60000; "
                    + "clients add it to its age. Default: ${DEFAULT-VALUE}")
    private int keptMillis;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            paramLabel = "HOST",
            description = "Name or address to listen on. Default: ${DEFAULT-VALUE}")
    private String host;

    @Option(
            names = "--port",
            defaultValue = "8081",
            paramLabel = "N",
            description = "Port to listen on; 0 is any free one. Default: ${DEFAULT-VALUE}")
    private int port;

    @Override
    public Integer call() throws InterruptedException {
        InputException.throwIf(port < 0 || port > 65_535, "--port is " + port + "; allowed: 0..65535");
        InputException.throwIf(
                keptMillis < 0 || keptMillis > 60_000, "--kept-millis is " + keptMillis + "; allowed: 0..60000");
        InputException.throwIf(
                longestTtlMillis < 1, "--longest-ttl-millis is " + longestTtlMillis + "; allowed: at least 1");
        List<StaleKeys> homes = new ArrayList<>();
        FilterShape shape = new FilterShape(bits, hashes);
        RedisSettings settings = redis.named();
        for (String table : tables) {
            checkTable(table);
            homes.add(RedisStaleKeys.at(settings, table, shape, longestTtlMillis));
        }
        FilterPublisher publisher = new FilterPublisher(shape, homes, keptMillis, System::currentTimeMillis);
        try (UntilStopped stop = new UntilStopped("filter");
                FilterServer server = FilterServer.start(publisher, Set.copyOf(origins), host, port)) {
            printServing(server.port());
            stop.await();
        } catch (IOException e) {
            throw new InputException("cannot listen on " + host + ':' + port + ": " + e.getMessage());
        }
        return ExitCodes.FINE;
    }

    static void checkTable(String table) {
        InputException.throwIf(!TABLE.matcher(table).matches(), "--table is '" + table + "'; allowed: SERVICE/TABLE");
    }

    private void printServing(int boundPort) {
        String address = "http://" + host + ':' + boundPort + FilterServer.PATH;
        output.print(
                () -> Map.of("url", address, "tables", tables),
                out -> out.println("the filter of " + String.join(", ", tables) + " is at " + address));
    }
}
