package io.kipimo.cli.gateway;

import io.kipimo.balancers.haproxy.AgentCheck;
import io.kipimo.balancers.haproxy.HaproxyAdapter;
import io.kipimo.balancers.haproxy.HaproxyPage;
import io.kipimo.cli.kafka.BrokerOptions;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.http.PageServer;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.sdk.AdmissionClient;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kipimo haproxy}. */
@Command(
        name = "haproxy",
        description = {
            "Writes the admitted fractions in force to a map of a running HAProxy over its Runtime"
                    + " API, and answers its agent checks. Runs until it is stopped.",
            "",
            "docs/haproxy.md shows HAProxy's configuration."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo haproxy --lua > /etc/haproxy/kipimo.lua",
            "  kipimo haproxy --service shop --class batch:0.01:0.5 --socket /run/haproxy/admin.sock"
                    + " --map /etc/haproxy/admitted.map"
        })
public final class HaproxyCommand implements Callable<Integer> {
    @Mixin
    private BrokerOptions kafka;

    @Mixin
    private ClassOptions classes;

    @Mixin
    private OutputOption output;

    @Spec
    private CommandSpec spec;

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
        PrintWriter out = spec.commandLine().getOut();
        if (lua) {
            try (InputStream in = HaproxyAdapter.class.getResourceAsStream("kipimo.lua")) {
                out.print(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
            out.flush();
            return 0;
        }
        Map<String, ClassDefaults> defaults = classes.defaults();
        if (service == null || defaults.isEmpty() || socket == null || map == null) {
            throw new InputException("needs --service, --class, --socket and --map; or --lua alone");
        }
        HaproxyAdapter.Enforced settings = HaproxyAdapter.Enforced.of(socket, map, List.copyOf(defaults.keySet()));
        KipimoConfig.Builder config = KipimoConfig.builder(
                        service, "haproxy-" + ProcessHandle.current().pid(), kafka.named())
                .tier("haproxy");
        defaults.forEach(config::queryClass);
        try (UntilStopped stop = new UntilStopped("haproxy");
                Kipimo kipimo = Kipimo.connect(config.build())) {
            AdmissionClient admission = kipimo.admission();
            try (HaproxyAdapter adapter = HaproxyAdapter.start(settings, admission::fraction);
                    PageServer page = HaproxyPage.start(host, port, adapter, admission, defaults.keySet());
                    AgentCheck agent = agentPort == null
                            ? null
                            : AgentCheck.start(host, agentPort, defaults.keySet(), admission::fraction)) {
                printServing(out, page.port(), agent == null ? null : agent.port());
                stop.await();
            }
        }
        return 0;
    }

    private void printServing(PrintWriter out, int pagePort, Integer agent) {
        JsonObject figures = new JsonObject().with("metrics", "http://" + host + ':' + pagePort + "/metrics");
        if (agent != null) {
            figures.put("agent_check", host + ':' + agent);
        }
        if (output.isDocument()) {
            output.print(out, figures);
        } else {
            figures.forEach((what, where) -> out.println(what + " at " + where));
        }
        out.flush();
    }
}
