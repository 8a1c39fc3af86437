package io.kipimo.labs.demos.enforcement;

import io.kipimo.cli.Main;
import io.kipimo.embedded.flink.MetricsPage;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.sdk.internal.http.BoundedExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** {@code kipimo gateway} in a separate process. */
public final class GatewayProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final int adminPort;
    private final ChildProcess process;
    private final BoundedExchange http = BoundedExchange.ofPages(Duration.ofSeconds(2));

    private GatewayProcess(int adminPort, ChildProcess process) {
        this.adminPort = adminPort;
        this.process = process;
    }

    /**
     * Starts a gateway; returns when it listens.
     *
     * @param config text of its configuration file
     * @param ports of its listeners
     * @param directory for its configuration and its log
     * @throws IOException if it does not start
     */
    public static GatewayProcess start(String config, List<Integer> ports, int adminPort, Path directory)
            throws IOException {
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, config);
        ChildProcess process = ChildProcess.start(
                Main.class,
                List.of("-Xmx256m", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20"),
                List.of("gateway", "--config=" + file),
                directory.resolve("gateway.log"));
        try {
            process.awaitReady(
                    "the gateway",
                    () -> ports.stream().allMatch(ForeignProcess::listens) && ForeignProcess.listens(adminPort),
                    PATIENCE);
        } catch (IllegalStateException e) {
            process.close();
            throw new IOException(e.getMessage(), e);
        }
        return new GatewayProcess(adminPort, process);
    }

    /**
     * A figure on the gateway's metrics page; NaN: the page cannot be read.
     *
     * @param label as written on the page, such as {@code class="low"}; the series that have it are summed up
     */
    public double figure(String metric, String label) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/metrics"))
                .build();
        try {
            return new MetricsPage(http.send(request, BodyHandlers.ofString()).body()).sum(metric, label);
        } catch (IOException e) {
            return Double.NaN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Double.NaN;
        }
    }

    /** Output of the gateway so far. */
    public String output() {
        return process.output();
    }

    @Override
    public void close() {
        process.close();
    }
}
