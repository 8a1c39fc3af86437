package io.kipimo.engines;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * An OpenTelemetry Collector in a process of its own. Go compiles it from {@code itests/collector}, which takes
 * minutes; where Go or the modules are missing, the test is skipped.
 */
final class OtlpCollector implements AutoCloseable {
    private static final Path SOURCE =
            Path.of("..", "collector").toAbsolutePath().normalize();
    private static final Path BINARY = Path.of("target", "collector").toAbsolutePath();

    private final Process process;

    private OtlpCollector(Process process) {
        this.process = process;
    }

    /**
     * Starts it with the configuration in {@code docs/otlp.md}.
     *
     * @param places texts of the page, and what they are here
     * @param port of its receiver
     */
    static OtlpCollector start(Map<String, String> places, int port, Path directory)
            throws IOException, InterruptedException {
        Path log = directory.resolve("collector.log");
        String go = Programs.go().map(Path::toString).orElseGet(() -> skip("no Go"));
        if (run(log, go, "mod", "download") != 0) {
            skip("modules cannot be downloaded: " + Files.readString(log));
        }
        assertThat(run(log, go, "build", "-o", BINARY.toString(), "."))
                .as(Files.readString(log))
                .isZero();
        Path config = Files.writeString(directory.resolve("collector.yaml"), config(places));
        OtlpCollector collector = new OtlpCollector(new ProcessBuilder(BINARY.toString(), "--config=" + config)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start());
        await("the Collector")
                .atMost(PATIENCE)
                .until(() -> ForeignProcess.listens(port) || !collector.process.isAlive());
        assertThat(collector.process.isAlive()).as(Files.readString(log)).isTrue();
        return collector;
    }

    private static int run(Path log, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(SOURCE.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(20, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            skip(String.join(" ", command) + " took more than 20 minutes");
        }
        return process.exitValue();
    }

    private static String config(Map<String, String> places) throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "otlp.md"));
        int start = page.indexOf("```yaml\nreceivers:");
        assertThat(start).isPositive();
        String config = page.substring(start + 8, page.indexOf("```", start + 8));
        for (Map.Entry<String, String> place : places.entrySet()) {
            assertThat(config).contains(place.getKey());
            config = config.replace(place.getKey(), place.getValue());
        }
        // Without a port of its own metrics.
        return config + "  telemetry: {metrics: {level: none}}\n";
    }

    private static String skip(String why) {
        System.err.println("SKIPPED OtlpCollector: " + why);
        return abort(why);
    }

    @Override
    public void close() {
        process.destroy();
    }
}
