package io.kipimo.cli.gateway;

import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ExtraClasspath;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.schemas.document.JsonObject;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo gateway}: runs a reverse proxy that measures and sheds queries. */
@Command(
        name = "gateway",
        description = {
            "A reverse proxy for HTTP/1.1 in front of the servers of a tier. It sheds lower classes at the fraction "
                    + "in force, has its own concurrency limit, sends the decided number of copies, and records late "
                    + "results of sampled queries. Runs until it is stopped, and then waits for requests in progress.",
            "",
            "docs/gateway.md explains every key of the file. Without --config it passes requests"
                    + " through: one listener, no log."
        },
        footer = {
            "  kipimo gateway --example > gateway.yaml   a file to start from",
            "  kipimo gateway --config gateway.yaml --check",
            "  kipimo gateway --config gateway.yaml",
            "  kipimo gateway --listen 127.0.0.1:8080 --server 10.0.0.1:80 --server 10.0.0.2:80"
        })
public final class GatewayCommand extends PrintingCommand {
    @ArgGroup(multiplicity = "1")
    private GatewaySource source;

    private static final class GatewaySource {
        @Option(names = "--config", paramLabel = "FILE", description = "Configuration, YAML.")
        private Path file;

        @Option(names = "--example", description = "Print a configuration with every key, and end.")
        private boolean example;

        @ArgGroup(exclusive = false)
        private PassThrough passThrough;
    }

    private static final class PassThrough {
        @Option(
                names = "--listen",
                required = true,
                paramLabel = "HOST:PORT",
                description = "Address for requests; port 0 is any free port.")
        private String listen;

        @Option(
                names = "--server",
                required = true,
                paramLabel = "HOST:PORT",
                description = "Address of a server; repeatable.")
        private List<String> servers;
    }

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "Address of /healthz, /readyz and /metrics. Default: as in the file, otherwise"
                    + " 127.0.0.1:9901.")
    private String admin;

    @Option(
            names = "--extra-classpath",
            paramLabel = "PATH[:PATH...]",
            description = "Jars, and directories with classes or jars, that have item readers of your own."
                    + " They run with the rights of the gateway.")
    private String extraClasspath = "";

    @Option(names = "--check", description = "Only read the configuration: exit 0, or 2 with every problem.")
    private boolean check;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (source.example) {
            output.printResource(GatewayCommand.class, "example.yaml");
            return 0;
        }
        GatewayConfig config = config();
        ItemReaders readers = readers(config);
        if (check) {
            printServing("the configuration is fine", config, Map.of(), 0);
            return 0;
        }
        Gateway gateway = Gateway.start(config, readers);
        try (UntilStopped stop = new UntilStopped("gateway");
                gateway) {
            printServing("serving", config, gateway.ports(), gateway.adminPort());
            stop.await();
            gateway.drain();
        }
        return 0;
    }

    private ItemReaders readers(GatewayConfig config) {
        List<Path> paths = Arrays.stream(extraClasspath.split(File.pathSeparator))
                .filter(path -> !path.isBlank())
                .map(Path::of)
                .toList();
        return ItemReaders.of(config, ExtraClasspath.of(paths));
    }

    private GatewayConfig config() {
        return source.file == null
                ? ConfigFile.passThrough(source.passThrough.listen, source.passThrough.servers, admin, hostName())
                : read(source.file, admin, hostName());
    }

    /** Reads a gateway's configuration. Each problem that it reports names the file. */
    static GatewayConfig read(Path file, String admin, String host) {
        return InputFile.document(file.toString(), text -> ConfigFile.read(text, admin, host));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "gateway";
        }
    }

    private void printServing(String what, GatewayConfig config, Map<String, Integer> ports, int adminPort) {
        output.print(
                () -> new JsonObject()
                        .with("service", config.service())
                        .with("listeners", ports)
                        .with("admin", adminPort),
                out -> {
                    out.println(what + ": " + config.service());
                    config.listeners()
                            .forEach(l -> out.println("  %s  %s:%s -> %s"
                                    .formatted(
                                            l.name(),
                                            l.listen().host(),
                                            ports.getOrDefault(
                                                    l.name(), l.listen().port()),
                                            l.servers())));
                    if (adminPort > 0) {
                        out.println("  metrics  http://" + config.admin().host() + ':' + adminPort + "/metrics");
                    }
                });
    }
}
