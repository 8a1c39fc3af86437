package io.kipimo.cli.gateway;

import io.kipimo.balancers.haproxy.AgentCheck;
import io.kipimo.balancers.haproxy.HaproxyAdapter;
import io.kipimo.balancers.haproxy.HaproxyPage;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.http.PageServer;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.sdk.AdmissionClient;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo haproxy}: applies admitted fractions in a running HAProxy. */
@Command(
        name = "haproxy",
        description = {
            "Writes the admitted fractions in force to a map of a running HAProxy over its Runtime"
                    + " API, and answers its agent checks. Runs until it is stopped.",
            "",
            "docs/haproxy.md shows HAProxy's configuration."
        },
        footer = {
            "  kipimo haproxy --lua > /etc/haproxy/kipimo.lua",
            "  kipimo haproxy --service shop --class batch:0.01:0.5 --socket /run/haproxy/admin.sock"
                    + " --map /etc/haproxy/admitted.map"
        })
public final class HaproxyCommand extends AdapterCommand {
    @Option(names = "--lua", description = "Print HAProxy's script for hashing ids, and end.")
    private boolean lua;

    @Option(names = "--service", paramLabel = "NAME", description = "Service whose decisions are applied.")
    private String service;

    @Option(names = "--socket", paramLabel = "PATH|HOST:PORT", description = "HAProxy's stats socket, of level admin.")
    private String socket;

    @Option(names = "--map", paramLabel = "FILE", description = "File of the map, as in HAProxy's configuration.")
    private String map;

    @Option(
            names = "--agent-port",
            paramLabel = "N",
            description = "Port for agent checks; 0 is any free port. Default: no agent checks.")
    private Integer agentPort;

    @Option(
            names = "--port",
            defaultValue = "9902",
            paramLabel = "N",
            description = "Port of /healthz and /metrics; 0 is any free port. Default: ${DEFAULT-VALUE}")
    private int port;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            paramLabel = "HOST",
            description = "Name or address of both ports. Default: ${DEFAULT-VALUE}")
    private String host;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (lua) {
            output.printResource(HaproxyAdapter.class, "kipimo.lua");
            return 0;
        }
        Map<String, ClassDefaults> defaults = defaults();
        InputException.throwIf(
                service == null || defaults.isEmpty() || socket == null || map == null,
                "needs --service, --class, --socket and --map; or --lua alone");
        HaproxyAdapter.Enforced settings = HaproxyAdapter.Enforced.of(socket, map, List.copyOf(defaults.keySet()));
        try (UntilStopped stop = new UntilStopped("haproxy");
                Kipimo kipimo = connect(service, "haproxy", defaults)) {
            AdmissionClient admission = kipimo.admission();
            try (HaproxyAdapter adapter = HaproxyAdapter.start(settings, admission::fraction);
                    PageServer page = HaproxyPage.start(host, port, adapter, admission, defaults.keySet());
                    AgentCheck agent = agentPort == null
                            ? null
                            : AgentCheck.start(host, agentPort, defaults.keySet(), admission::fraction)) {
                output.print(
                        new JsonObject()
                                .with("metrics", "http://" + host + ':' + page.port() + "/metrics")
                                .withPresent(
                                        "agent_check",
                                        Optional.ofNullable(agent).map(a -> host + ':' + a.port())),
                        " at ");
                stop.await();
            }
        }
        return 0;
    }
}
