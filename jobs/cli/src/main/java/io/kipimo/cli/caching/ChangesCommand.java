package io.kipimo.cli.caching;

import io.kipimo.caching.changes.ChangeFeed;
import io.kipimo.caching.changes.ChangeServer;
import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.HostPort;
import io.kipimo.cli.terminal.TokenFile;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.http.BearerToken;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo changes}: streams changes of query results and records to browsers. */
@Command(
        name = "changes",
        description = {
            "Streams changes of query results and records to browsers, as Server-Sent Events at "
                    + "/changes, by the notifications of the invalidation job; with /healthz and "
                    + "/metrics beside it. Runs until it is stopped.",
            "",
            "A page that reconnects misses nothing, or is told to load again. Whoever reaches the "
                    + "server, and has the token if there is one, can ask for any key."
        },
        footer = {"  kipimo changes --bootstrap-servers localhost:9092 --cors-origin https://shop.example"})
public final class ChangesCommand extends KafkaCommand {
    private static final String TOKEN_VARIABLE = "KIPIMO_CHANGES_TOKEN";

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:8090",
            paramLabel = "HOST:PORT",
            description = "Address to listen on; port 0 is any free one. Default: ${DEFAULT-VALUE}")
    private String listen;

    @Option(
            names = "--cors-origin",
            paramLabel = "https://HOST",
            description = "An origin of pages that may read the streams; * is any; repeat it for several. "
                    + "Default: only the server's own.")
    private List<String> origins = List.of();

    @Option(
            names = "--streams",
            defaultValue = "1000",
            paramLabel = "N",
            description = "Most open streams, 1..100000. Default: ${DEFAULT-VALUE}")
    private int streams;

    @Option(
            names = "--history",
            defaultValue = "10000",
            paramLabel = "N",
            description =
                    "Notifications that are kept for pages that reconnect, 1..10000000. Default: ${DEFAULT-VALUE}")
    private int history;

    @Option(
            names = "--heartbeat-millis",
            defaultValue = "15000",
            paramLabel = "N",
            description = "Greatest time between two lines of a stream, 100..3600000. Default: ${DEFAULT-VALUE}")
    private long heartbeatMillis;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with a token that clients must send, at least 16 characters. Default: the "
                    + "environment's " + TOKEN_VARIABLE + ", or none.")
    private Path tokenFile;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChangeServer.Serving settings = new ChangeServer.Serving(
                streams,
                history,
                heartbeatMillis,
                Set.copyOf(origins),
                TokenFile.token(tokenFile, TOKEN_VARIABLE).map(BearerToken::new));
        Address at = HostPort.parse("--listen", listen);
        KafkaSettings brokers = kafka.connect(Topic.INVALIDATIONS);
        try (UntilStopped stop = new UntilStopped("changes");
                ChangeServer server = ChangeServer.start(settings, at.host(), at.port());
                ChangeFeed feed = ChangeFeed.start(brokers, server, history)) {
            String url = "http://" + new Address(at.host(), server.port()) + ChangeServer.PATH;
            output.print(() -> Map.of("url", url), out -> out.println("changes are at " + url));
            stop.await();
        }
        return ExitCodes.FINE;
    }
}
