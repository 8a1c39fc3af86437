package io.kipimo.console.server;

import java.nio.file.Path;
import java.util.Optional;

/** Serves the page from its sources with synthetic figures, for development. Arguments: port, number of services. */
public final class SampleServer {
    static final String TOKEN = "sample-token-0000";

    private SampleServer() {}

    public static void main(String[] args) throws Exception {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
        int services = args.length > 1 ? Integer.parseInt(args[1]) : 12;
        ConsoleServer server = ConsoleServer.start(
                new ServerSettings(ServerSettings.LOOPBACK, port, Optional.of(TOKEN)),
                new SampleContent(services, System::currentTimeMillis),
                new SampleWrites(),
                new SampleGates(),
                PageFiles.in(Path.of("src/main/resources/io/kipimo/console/page")));
        System.out.println(server.address() + " token " + TOKEN);
    }
}
