package io.kipimo.cli.caching;

import io.kipimo.caching.truth.TruthFeed;
import io.kipimo.caching.truth.TruthProber;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.core.stale.CacheTruthProbe;
import io.kipimo.http.PageServer;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo cache-truth}: measures how many reads through caches are fresh. */
@Command(
        name = "cache-truth",
        description = {
            "Reads sampled, recently written keys through caches, and compares the answers with the "
                    + "origin's: how many reads were fresh within 1, 5 and 10 minutes, and which link "
                    + "(client, shared cache, purge, filter) lost the others. Runs until it is stopped.",
            "",
            "Without reads, without versions in answers, or a quarter of an hour after the last "
                    + "proof, the result is unknown."
        },
        footer = {
            "  kipimo cache-truth --table shop/products --origin http://origin:8080 \\",
            "      --cache http://varnish:6081 --filter http://origin:8080/stale-filter"
        })
public final class CacheTruthCommand extends CacheCommand {
    @Option(
            names = "--table",
            required = true,
            paramLabel = "SERVICE/TABLE",
            description = "A table whose keys are read; repeat it for several.")
    private List<String> tables;

    @Option(
            names = "--origin",
            required = true,
            paramLabel = "http://HOST:PORT",
            description = "The origin, past all caches: its answers are the truth.")
    private URI origin;

    @Option(
            names = "--cache",
            paramLabel = "http://HOST:PORT",
            description = "A shared cache; repeat it for several. The client reads through the first one; "
                    + "without any, from the origin.")
    private List<URI> caches = List.of();

    @Option(
            names = "--filter",
            paramLabel = "URL",
            description = "The filter of stale keys, as clients get it. Default: clients have none.")
    private URI filter;

    @Option(
            names = "--without-purge",
            description = "Nothing purges the shared caches, so they may serve an entry until it expires.")
    private boolean isWithoutPurge;

    @Option(
            names = "--within",
            split = ",",
            defaultValue = "1m,5m,10m",
            paramLabel = "LENGTH[,...]",
            description = "Times within which reads are to be fresh, at most 10. Default: ${DEFAULT-VALUE}")
    private List<String> within;

    @Option(
            names = "--keys",
            defaultValue = "1000",
            paramLabel = "N",
            description = "Most keys of a table that are watched, 1..1000000. Each is read a few times "
                    + "after a write. Default: ${DEFAULT-VALUE}")
    private int keys;

    @Option(
            names = "--delta-millis",
            defaultValue = "1000",
            paramLabel = "N",
            description = "Delta of the client, from 1. Default: ${DEFAULT-VALUE}")
    private long deltaMillis;

    @Option(
            names = "--timeout",
            defaultValue = "5s",
            paramLabel = "LENGTH",
            description = "Time-out of one request: 2s, 1m. Default: ${DEFAULT-VALUE}")
    private String timeout;

    @Option(
            names = "--name",
            defaultValue = "cache-truth",
            paramLabel = "NAME",
            description = "Name of this prober. Default: ${DEFAULT-VALUE}")
    private String name;

    @Override
    public Integer call() throws IOException, InterruptedException {
        TruthProber.Probing settings = settings();
        Optional<Address> at = pages();
        KafkaSettings brokers = kafka.connect(Topic.CACHE_TRUTH);
        try (UntilStopped stop = new UntilStopped("cache-truth");
                TruthProber prober = TruthProber.start(settings);
                TruthFeed feed = TruthFeed.start(brokers, prober);
                PageServer pages = serve(at, prober::metrics)) {
            printServing(
                    new JsonObject().with("tables", tables).with("origin", origin.toString()),
                    "reading keys of " + String.join(", ", tables),
                    at,
                    pages);
            stop.await();
        }
        return ExitCodes.FINE;
    }

    private TruthProber.Probing settings() {
        tables.forEach(FilterServeCommand::checkTable);
        return new TruthProber.Probing(
                name,
                Set.copyOf(tables),
                origin,
                caches,
                Optional.ofNullable(filter),
                paths(),
                deltaMillis,
                TimeSpan.parse("--timeout", timeout),
                new CacheTruthProbe.Watching(
                        within.stream()
                                .map(text -> TimeSpan.parse("--within", text).toMillis())
                                .toList(),
                        caches.size(),
                        !isWithoutPurge,
                        keys));
    }
}
