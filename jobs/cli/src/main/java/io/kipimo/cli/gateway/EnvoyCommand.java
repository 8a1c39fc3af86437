package io.kipimo.cli.gateway;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.HostPort;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.envoy.EnvoyAdapter;
import io.kipimo.envoy.EnvoyPage;
import io.kipimo.http.PageServer;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.internal.net.Address;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo envoy}: serves decisions to Envoy proxies as runtime values. */
@Command(
        name = "envoy",
        description = {
            "Serves the decisions in force to Envoys as runtime values over RTDS: the share of a class that is shed, "
                    + "and how often a tier's requests are mirrored. Runs until it is stopped.",
            "",
            "docs/envoy.md shows Envoy's configuration."
        },
        footer = {
            "  kipimo envoy --bootstrap-servers kafka:9092 --service shop --class batch:0.01:0.5",
            "  kipimo envoy --service shop --tier web --listen 0.0.0.0:9904"
        })
public final class EnvoyCommand extends AdapterCommand {
    @Option(
            names = "--service",
            required = true,
            paramLabel = "NAME",
            description = "Service whose decisions are applied.")
    private String service;

    @Option(names = "--tier", paramLabel = "NAME", description = "A tier whose requests may be mirrored; repeatable.")
    private List<String> tiers = List.of();

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:9904",
            paramLabel = "HOST:PORT",
            description = "Address for Envoys, gRPC without TLS; port 0 is any free port. Default: ${DEFAULT-VALUE}")
    private String listen;

    @Option(
            names = "--admin",
            defaultValue = "127.0.0.1:9905",
            paramLabel = "HOST:PORT",
            description = "Address of /healthz and /metrics; port 0 is any free port. Default: ${DEFAULT-VALUE}")
    private String admin;

    @Override
    public Integer call() throws InterruptedException {
        Map<String, ClassDefaults> defaults = defaults();
        Address xds = HostPort.parse("--listen", listen);
        Address page = HostPort.parse("--admin", admin);
        EnvoyAdapter.Enforcing settings =
                EnvoyAdapter.Enforcing.of(xds.host(), xds.port(), List.copyOf(defaults.keySet()), tiers);
        try (UntilStopped stop = new UntilStopped("envoy");
                Kipimo kipimo = connect(service, "envoy", defaults);
                EnvoyAdapter adapter =
                        EnvoyAdapter.start(settings, kipimo.admission()::fraction, kipimo.replication()::factor);
                PageServer metrics =
                        EnvoyPage.start(page.host(), page.port(), adapter, kipimo.admission(), defaults.keySet())) {
            output.print(
                    new JsonObject()
                            .with("rtds", xds.host() + ':' + adapter.port())
                            .with("metrics", "http://" + page.host() + ':' + metrics.port() + "/metrics"),
                    " at ");
            stop.await();
        } catch (IOException e) {
            throw new InputException("cannot listen: " + e.getMessage());
        }
        return ExitCodes.FINE;
    }
}
