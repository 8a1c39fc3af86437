package io.kipimo.cli.caching;

import io.kipimo.caching.purge.CacheKind;
import io.kipimo.caching.purge.CachePurger;
import io.kipimo.caching.purge.PurgeFeed;
import io.kipimo.caching.purge.PurgeSettings;
import io.kipimo.cli.kafka.BrokerOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.schemas.topics.Topic;
import java.io.PrintWriter;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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

    @Mixin private BrokerOptions kafka;

    @Mixin private OutputOption output;

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

    @Option(
            names = "--record-path",
            defaultValue = "/{table}/{key}",
            paramLabel = "PATH",
            description =
                    "Path of a record, with {service}, {table} and {key}; a key that begins with "
                            + "a slash is a path itself. Default: ${DEFAULT-VALUE}")
    private String recordPath;

    @Option(
            names = "--query-path",
            defaultValue = "/{table}/{key}",
            paramLabel = "PATH",
            description = "Path of a query's result, likewise. Default: ${DEFAULT-VALUE}")
    private String queryPath;

    @Option(
            names = "--group",
            defaultValue = "kipimo-purge",
            paramLabel = "GROUP",
            description =
                    "Consumer group; purgers of one group share the work. A new group begins with "
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

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PurgeSettings settings = settings();
        CachePurger purger = CachePurger.of(settings);
        CountDownLatch stopped = new CountDownLatch(1);
        Thread stop = new Thread(stopped::countDown, "purge-stop");
        try (PurgeFeed feed =
                PurgeFeed.start(kafka.connect(Topic.INVALIDATIONS), group, purger, settings)) {
            Runtime.getRuntime().addShutdownHook(stop);
            printServing();
            stopped.await();
        }
        return ExitCodes.FINE;
    }

    private PurgeSettings settings() {
        if (attempts < 1 || attempts > MOST_ATTEMPTS) {
            throw new InputException("--attempts is " + attempts + "; allowed: 1..100");
        }
        try {
            return new PurgeSettings(
                    kind,
                    caches,
                    recordPath,
                    queryPath,
                    attempts,
                    TimeSpan.parse("--timeout", timeout));
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage());
        }
    }

    private void printServing() {
        PrintWriter out = spec.commandLine().getOut();
        if (output.isDocument()) {
            output.print(
                    out,
                    Map.of("caches", caches.stream().map(URI::toString).toList(), "group", group));
        } else {
            out.println(
                    "purging " + String.join(", ", caches.stream().map(URI::toString).toList()));
        }
        out.flush();
    }
}
