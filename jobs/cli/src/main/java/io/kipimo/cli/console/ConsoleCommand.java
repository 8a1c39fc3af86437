package io.kipimo.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.cli.advice.HttpGates;
import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.run.FlinkRest;
import io.kipimo.cli.terminal.Contexts;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.cli.terminal.TokenFile;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.console.Console;
import io.kipimo.console.server.ProxyLogin;
import io.kipimo.console.server.ServerSettings;
import io.kipimo.core.quality.window.TraceLink;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.sdk.internal.net.AddressRange;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo console}: shows a running system in a browser. */
@Command(
        name = "console",
        description = {
            "Shows a running system in a browser: what is wrong, where, since when, and what Kipimo did about it. "
                    + "Runs until it is stopped, also while the brokers are unavailable.",
            "",
            "Local users may read it without a token. Overrides and the kill switch need a token. "
                    + "With --host or --public-url, reading needs it, too: open /?token=TOKEN once.",
            "",
            "With --login-header and --trusted-proxy, a proxy in front logs users in: whom it names "
                    + "in the header may read and change, and signs overrides by that name. The "
                    + "proxy must replace the header of clients."
        },
        footer = {
            "  kipimo console --bootstrap-servers localhost:9092",
            "  kipimo console --port 0 --json",
            "  kipimo console --host 0.0.0.0 --token-file /run/secrets/console",
            "  kipimo console --public-url https://kipimo.example.com --token-file console-token"
        })
public final class ConsoleCommand extends KafkaCommand {
    private static final long JOBS_EVERY_SECONDS = 30;
    private static final String TOKEN_VARIABLE = "KIPIMO_CONSOLE_TOKEN";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8080",
            description = "Port to listen on; 0 is any free one. Default: ${DEFAULT-VALUE}")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = ServerSettings.LOOPBACK,
            description = "Name or address of this machine to listen on; any address but loopback needs "
                    + "a token. Default: ${DEFAULT-VALUE}")
    private String host;

    @Option(
            names = "--public-url",
            paramLabel = "URL",
            description = "Public address if a proxy serves the console, such as https://kipimo.example.com. Reading "
                    + "then needs the token, and with https cookies are sent over TLS only.")
    private URI publicUrl;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token, at least 16 characters. Default: the environment's "
                    + TOKEN_VARIABLE
                    + "; without either nothing can be changed.")
    private Path tokenFile;

    @Option(
            names = "--login-header",
            paramLabel = "NAME",
            description = "Header in which a trusted proxy names the user, such as X-Forwarded-User. "
                    + "Others' headers are ignored. Default: no login")
    private String loginHeader;

    @Option(
            names = "--trusted-proxy",
            paramLabel = "ADDRESS",
            split = ",",
            description = "Address or range of proxies that may name users: 10.0.0.7, 10.0.0.0/8. May be repeated.")
    private List<String> trustedProxies = List.of();

    @Option(
            names = "--look-back",
            paramLabel = "LENGTH",
            defaultValue = "1h",
            description = "History to read at the start: 10m, 1h, 1d. Default: ${DEFAULT-VALUE}")
    private String lookBack;

    @Option(
            names = "--rest",
            paramLabel = "URL",
            description = "REST address of Flink's JobManager: the page then says how the quality job joins and why.")
    private URI rest;

    @Option(
            names = "--trace-link",
            paramLabel = "URL",
            description = "Address of the trace of a query, with {query}, and {from}, {to} in epoch "
                    + "milliseconds if wanted: https://tempo.example.com/trace/{query}")
    private String traceLink;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Duration past = TimeSpan.parse("--look-back", lookBack);
        ServerSettings server = new ServerSettings(
                host, port, TokenFile.token(tokenFile, TOKEN_VARIABLE), Optional.ofNullable(publicUrl), login());
        Optional<TraceLink> link = Optional.ofNullable(traceLink)
                .or(() -> Contexts.value(spec, "trace-link"))
                .map(TraceLink::new);
        KafkaSettings settings = kafka.named();
        try (UntilStopped stop = new UntilStopped("console");
                Console console = Console.start(settings, past, server, new HttpGates(settings), link)) {
            printServing(console, server);
            while (!stop.await(rest == null ? Long.MAX_VALUE : JOBS_EVERY_SECONDS)) {
                console.showJoinPath(joinPath());
            }
        }
        return ExitCodes.FINE;
    }

    /**
     * Reads from Flink how the quality job joins events and why. Returns an empty text also while Flink does not
     * answer, because the earlier reason may have changed.
     */
    private String joinPath() throws InterruptedException {
        try {
            FlinkRest flink = FlinkRest.at(rest);
            for (JsonNode job : flink.jobs()) {
                String said = flink.parameters(job.path("jid").asText())
                        .path(JoinOptions.SHOWN_PATH)
                        .asText();
                if (job.path("state").asText().equals("RUNNING") && !said.isEmpty()) {
                    return said;
                }
            }
        } catch (InputException e) {
            return "";
        }
        return "";
    }

    private Optional<ProxyLogin> login() {
        List<AddressRange> proxies = new ArrayList<>();
        for (String proxy : trustedProxies) {
            proxies.add(AddressRange.parse(proxy)
                    .orElseThrow(() -> new InputException(
                            "--trusted-proxy is '%s'; allowed: an address or a range, such as 10.0.0.0/8"
                                    .formatted(proxy))));
        }
        InputException.throwIf(
                (loginHeader == null) != proxies.isEmpty(),
                "%s; allowed: both or none"
                        .formatted(
                                loginHeader == null
                                        ? "--trusted-proxy is there without --login-header"
                                        : "--login-header is there without --trusted-proxy"));
        return Optional.ofNullable(loginHeader)
                .map(header ->
                        new ProxyLogin(header, address -> proxies.stream().anyMatch(p -> p.contains(address))));
    }

    private void printServing(Console console, ServerSettings server) {
        output.print(
                () -> new JsonObject().with("url", console.address()).with("writable", server.isWritable()),
                out -> out.println("Kipimo's console is at %s%s"
                        .formatted(console.address(), server.isWritable() ? "" : " (nothing can be changed there)")));
    }
}
