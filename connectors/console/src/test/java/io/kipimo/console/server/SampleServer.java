package io.kipimo.console.server;

import java.nio.file.Path;

/**
 * For who writes the page: serves the sources' page with made-up figures. Arguments: port, number
 * of services.
 */
public final class SampleServer {
    private SampleServer() {}

    public static void main(String[] args) throws Exception {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
        int services = args.length > 1 ? Integer.parseInt(args[1]) : 12;
        ConsoleServer server =
                ConsoleServer.start(
                        "127.0.0.1",
                        port,
                        new SampleContent(services, System::currentTimeMillis),
                        PageFiles.in(Path.of("src/main/resources/io/kipimo/console/page")));
        System.out.println("http://127.0.0.1:" + server.port() + "/");
    }
}
