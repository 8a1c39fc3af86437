package io.kipimo.examples.enforcement;

import io.kipimo.cli.Main;
import io.kipimo.harness.flink.MetricsPage;
import io.kipimo.harness.process.ChildProcess;
import io.kipimo.harness.process.ForeignProcess;
import io.kipimo.harness.process.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** {@code kipimo gateway} in a separate process. */
final class GatewayEnforcement implements EnforcementPoint {
    private static final int PATIENCE_SECONDS = 30;
    private static final int PAUSE_MILLIS = 50;

    private final int port;
    private final int adminPort;
    private final ChildProcess process;
    private final HttpClient http = HttpClient.newHttpClient();

    private GatewayEnforcement(int port, int adminPort, ChildProcess process) {
        this.port = port;
        this.adminPort = adminPort;
        this.process = process;
    }

    static GatewayEnforcement open(Guarded guarded, Path directory) throws IOException {
        int[] ports = FreePorts.distinct(2);
        Path config = directory.resolve("gateway.yaml");
        Files.writeString(
                config,
                """
                service: %s
                server: gateway
                admin: 127.0.0.1:%d
                threads: 1
                kafka: {bootstrap-servers: '%s', topic-prefix: '%s'}
                classes: {%s: {floor: %s}}
                listeners:
                  - name: door
                    listen: 127.0.0.1:%d
                    servers:
                %s
                    limit: {enabled: false}
                """
                        .formatted(
                                guarded.service(),
                                ports[1],
                                guarded.kafka().bootstrapServers(),
                                guarded.kafka().topicPrefix(),
                                guarded.queryClass(),
                                guarded.floor(),
                                ports[0],
                                guarded.lines("      - '127.0.0.1:%2$d'")));
        ChildProcess process =
                ChildProcess.start(
                        Main.class,
                        List.of("-Xmx256m", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20"),
                        List.of("gateway", "--config=" + config),
                        directory.resolve("gateway.log"));
        GatewayEnforcement door = new GatewayEnforcement(ports[0], ports[1], process);
        door.awaitListening();
        return door;
    }

    private void awaitListening() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!ForeignProcess.listens(port) || !ForeignProcess.listens(adminPort)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                close();
                throw new IOException("the gateway does not listen: " + process.output());
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public double admitted() {
        return figure("kipimo_gateway_admitted_fraction");
    }

    private double figure(String name) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/metrics"))
                        .timeout(Duration.ofSeconds(2))
                        .build();
        try {
            return new MetricsPage(http.send(request, BodyHandlers.ofString()).body())
                    .first(name)
                    .orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Double.NaN;
        }
    }

    @Override
    public String figures() {
        return String.format(
                Locale.ROOT,
                "The gateway passed %.0f queries of the low class and shed %.0f.",
                figure("kipimo_gateway_copies_total"),
                figure("kipimo_gateway_shed_by_admission_total"));
    }

    @Override
    public void close() {
        process.close();
    }
}
