package io.kipimo.cli.gateway;

import io.kipimo.cli.kafka.BrokerOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.HostPort;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.envoy.EnvoyAdapter;
import io.kipimo.envoy.EnvoyPage;
import io.kipimo.http.PageServer;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.net.Address;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kipimo envoy}. */
@Command(
        name = "envoy",
        description = {
            "Serves the decisions in force to Envoys as runtime values over RTDS: the share of a class"
                    + " that is shed, and how often a tier's requests are mirrored. Runs until it is"
                    + " stopped.",
            "",
            "docs/envoy.md shows Envoy's configuration."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo envoy --bootstrap-servers kafka:9092 --service shop --class batch:0.01:0.5",
            "  kipimo envoy --service shop --tier web --listen 0.0.0.0:9904"
        })
public final class EnvoyCommand implements Callable<Integer> {
    @Mixin
    private BrokerOptions kafka;

    @Mixin
    private ClassOptions classes;

    @Mixin
    private OutputOption output;

    @Spec
    private CommandSpec spec;

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
            description =
                    "Address for Envoys, gRPC without TLS; port 0 is any free port. Default:" + " ${DEFAULT-VALUE}")
    private String listen;

    @Option(
            names = "--admin",
            defaultValue = "127.0.0.1:9905",
            paramLabel = "HOST:PORT",
            description = "Address of /healthz and /metrics; port 0 is any free port. Default: ${DEFAULT-VALUE}")
    private String admin;

    @Override
    public Integer call() throws InterruptedException {
        Map<String, ClassDefaults> defaults = classes.defaults();
        Address xds = HostPort.parse("--listen", listen);
        Address page = HostPort.parse("--admin", admin);
        EnvoyAdapter.Enforcing settings =
                EnvoyAdapter.Enforcing.of(xds.host(), xds.port(), List.copyOf(defaults.keySet()), tiers);
        KipimoConfig.Builder config = KipimoConfig.builder(
                        service, "envoy-" + ProcessHandle.current().pid(), kafka.named())
                .tier("envoy");
        defaults.forEach(config::queryClass);
        try (UntilStopped stop = new UntilStopped("envoy");
                Kipimo kipimo = Kipimo.connect(config.build());
                EnvoyAdapter adapter =
                        EnvoyAdapter.start(settings, kipimo.admission()::fraction, kipimo.replication()::factor);
                PageServer metrics =
                        EnvoyPage.start(page.host(), page.port(), adapter, kipimo.admission(), defaults.keySet())) {
            printServing(xds.host() + ':' + adapter.port(), page.host() + ':' + metrics.port());
            stop.await();
        } catch (IOException e) {
            throw new InputException("cannot listen: " + e.getMessage());
        }
        return ExitCodes.FINE;
    }

    private void printServing(String xds, String metrics) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rtds", xds);
        figures.put("metrics", "http://" + metrics + "/metrics");
        PrintWriter out = spec.commandLine().getOut();
        if (output.isDocument()) {
            output.print(out, figures);
        } else {
            figures.forEach((what, where) -> out.println(what + " at " + where));
        }
        out.flush();
    }
}
