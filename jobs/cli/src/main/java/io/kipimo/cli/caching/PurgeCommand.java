package io.kipimo.cli.caching;

import io.kipimo.caching.purge.CacheKind;
import io.kipimo.caching.purge.CachePurger;
import io.kipimo.caching.purge.PurgeFeed;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.http.PageServer;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.exposition.Exposition;
import io.kipimo.sdk.internal.net.Address;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo purge}: removes stale entries from shared caches. */
@Command(
        name = "purge",
        description = {
            "Purges stale entries from Varnish or nginx, by the notifications of the invalidation job. Runs until it "
                    + "is stopped; notifications that arrive meanwhile are processed at the next start.",
            "",
            "docs/caching.md shows the required configuration of the caches."
        },
        footer = {
            "  kipimo purge --bootstrap-servers localhost:9092 --cache http://varnish:6081",
            "  kipimo purge --kind nginx --cache http://edge-1 --cache http://edge-2"
                    + " --query-path '/api/{table}?q={key}'"
        })
public final class PurgeCommand extends CacheCommand {
    private static final int MOST_ATTEMPTS = 100;

    @Option(
            names = "--cache",
            required = true,
            paramLabel = "http://HOST:PORT",
            description =
                    "A cache; repeat it for several, which are purged one after the other. A cache that others ask "
                            + "comes before them: else they are filled again with its stale answer.")
    private List<URI> caches;

    @Option(
            names = "--kind",
            defaultValue = "varnish",
            paramLabel = "KIND",
            description = "varnish or nginx. Default: ${DEFAULT-VALUE}")
    private CacheKind kind;

    @Option(
            names = "--group",
            defaultValue = "kipimo-purge",
            paramLabel = "GROUP",
            description = "Consumer group; purgers of one group share the work. A new group begins with "
                    + "the oldest invalidation. Default: ${DEFAULT-VALUE}")
    private String group;

    @Option(
            names = "--attempts",
            defaultValue = "3",
            paramLabel = "N",
            description = "Attempts for each purge, 1..100. Default: ${DEFAULT-VALUE}")
    private int attempts;

    @Option(
            names = "--timeout",
            defaultValue = "2s",
            paramLabel = "LENGTH",
            description = "Time-out of one attempt: 2s, 1m. Default: ${DEFAULT-VALUE}")
    private String timeout;

    @Override
    public Integer call() throws IOException, InterruptedException {
        CachePurger.Purging settings = settings();
        Optional<Address> at = pages();
        CachePurger purger = CachePurger.of(settings);
        try (UntilStopped stop = new UntilStopped("purge");
                PurgeFeed feed = PurgeFeed.start(kafka.connect(Topic.INVALIDATIONS), group, purger, settings);
                PageServer pages = serve(at, () -> metrics(purger).toString())) {
            List<String> addresses = caches.stream().map(URI::toString).toList();
            printServing(
                    new JsonObject().with("caches", addresses).with("group", group),
                    "purging " + String.join(", ", addresses),
                    at,
                    pages);
            stop.await();
        }
        return ExitCodes.FINE;
    }

    private static Exposition metrics(CachePurger purger) {
        Exposition page = new Exposition();
        new JsonObject()
                .with("purged", purger.purged())
                .with("failed", purger.failed())
                .with("skipped", purger.skipped())
                .forEach((result, count) -> page.counter(
                        "kipimo_purge_total",
                        "Purges of an address at a cache, and keys that are no path.",
                        (long) count,
                        "result",
                        result));
        return page;
    }

    private CachePurger.Purging settings() {
        InputException.throwIf(
                attempts < 1 || attempts > MOST_ATTEMPTS, "--attempts is " + attempts + "; allowed: 1..100");
        return new CachePurger.Purging(kind, caches, paths(), attempts, TimeSpan.parse("--timeout", timeout));
    }
}
