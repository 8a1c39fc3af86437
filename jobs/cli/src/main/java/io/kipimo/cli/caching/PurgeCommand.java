package io.kipimo.cli.caching;

import io.kipimo.caching.purge.CacheKind;
import io.kipimo.caching.purge.CachePurger;
import io.kipimo.caching.purge.PurgeFeed;
import io.kipimo.cli.kafka.BrokerOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.http.PageServer;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.exposition.Exposition;
import io.kipimo.sdk.internal.net.Address;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kipimo purge}. */
@Command(
        name = "purge",
        description = {
            "Purges stale entries from Varnish or nginx, by the notifications of the invalidation "
                    + "job. Runs until it is stopped; notifications that arrive meanwhile are "
                    + "processed at the next start.",
            "",
            "docs/caching.md shows the required configuration of the caches."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo purge --bootstrap-servers localhost:9092 --cache http://varnish:6081",
            "  kipimo purge --kind nginx --cache http://edge-1 --cache http://edge-2"
                    + " --query-path '/api/{table}?q={key}'"
        })
public final class PurgeCommand implements Callable<Integer> {
    private static final int MOST_ATTEMPTS = 100;

    @Mixin
    private BrokerOptions kafka;

    @Mixin
    private OutputOption output;

    @Option(
            names = "--cache",
            required = true,
            paramLabel = "http://HOST:PORT",
            description = "A cache; repeat it for several, all of which are purged.")
    private List<URI> caches;

    @Option(
            names = "--kind",
            defaultValue = "varnish",
            paramLabel = "KIND",
            description = "varnish or nginx. Default: ${DEFAULT-VALUE}")
    private CacheKind kind;

    @Mixin
    private KeyPathOptions paths;

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

    @Mixin
    private AdminOption admin;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        CachePurger.Purging settings = settings();
        Optional<Address> unused = admin.address();
        CachePurger purger = CachePurger.of(settings);
        try (UntilStopped stop = new UntilStopped("purge");
                PurgeFeed feed = PurgeFeed.start(kafka.connect(Topic.INVALIDATIONS), group, purger, settings);
                PageServer pages = admin.serve(() -> metrics(purger).toString())) {
            printServing(admin.page(pages));
            stop.await();
        } catch (IOException e) {
            throw new InputException(e.getMessage());
        }
        return ExitCodes.FINE;
    }

    private static Exposition metrics(CachePurger purger) {
        Exposition page = new Exposition();
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("purged", purger.purged());
        counts.put("failed", purger.failed());
        counts.put("skipped", purger.skipped());
        counts.forEach((result, count) -> page.counter(
                "kipimo_purge_total",
                "Purges of an address at a cache, and keys that are no path.",
                count,
                "result",
                result));
        return page;
    }

    private CachePurger.Purging settings() {
        if (attempts < 1 || attempts > MOST_ATTEMPTS) {
            throw new InputException("--attempts is " + attempts + "; allowed: 1..100");
        }
        try {
            return new CachePurger.Purging(kind, caches, paths.paths(), attempts, TimeSpan.parse("--timeout", timeout));
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage());
        }
    }

    private void printServing(Optional<String> page) {
        PrintWriter out = spec.commandLine().getOut();
        List<String> addresses = caches.stream().map(URI::toString).toList();
        if (output.isDocument()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("caches", addresses);
            document.put("group", group);
            page.ifPresent(at -> document.put("metrics", at));
            output.print(out, document);
        } else {
            out.println("purging " + String.join(", ", addresses));
            page.ifPresent(at -> out.println("metrics at " + at));
        }
        out.flush();
    }
}
