package io.kipimo.endtoend.alerts;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A real Prometheus. */
final class Prometheus implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path directory;
    private final int port;
    private final ForeignProcess process;

    private Prometheus(Path directory, int port, ForeignProcess process) {
        this.directory = directory;
        this.port = port;
        this.process = process;
    }

    /**
     * Starts Prometheus. Returns when it is ready.
     *
     * @param seconds between two scrapes, and two evaluations of the rules
     * @param jobs scrape targets, by job name
     */
    static Prometheus start(Path program, Path directory, String rules, int seconds, Map<String, List<String>> jobs)
            throws IOException {
        Files.createDirectories(directory);
        Path rulesFile = directory.resolve("alerts.yml");
        Files.writeString(rulesFile, rules);
        StringBuilder config = new StringBuilder(
                "global: {scrape_interval: %1$ds, scrape_timeout: %1$ds, evaluation_interval: %1$ds}\nrule_files: ["
                                .formatted(seconds)
                        + rulesFile
                        + "]\nscrape_configs:\n");
        for (Map.Entry<String, List<String>> job : jobs.entrySet()) {
            Path targets = targetsFile(directory, job.getKey());
            write(targets, job.getValue());
            config.append("  - {job_name: ")
                    .append(job.getKey())
                    .append(", file_sd_configs: [{files: ['")
                    .append(targets)
                    .append("'], refresh_interval: 1s}]}\n");
        }
        Path configFile = directory.resolve("prometheus.yml");
        Files.writeString(configFile, config);
        int port = FreePorts.one();
        Prometheus prometheus = new Prometheus(
                directory,
                port,
                ForeignProcess.start(
                        List.of(
                                program.toString(),
                                "--config.file=" + configFile,
                                "--storage.tsdb.path=" + directory.resolve("prometheus"),
                                "--web.listen-address=127.0.0.1:" + port),
                        port,
                        directory.resolve("prometheus.log")));
        // It listens before it answers.
        await().ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> prometheus.query("vector(1)").size() == 1);
        return prometheus;
    }

    /** Sets the targets of a job. */
    void scrape(String job, List<String> targets) throws IOException {
        write(targetsFile(directory, job), targets);
    }

    private static Path targetsFile(Path directory, String job) {
        return directory.resolve(job + ".json");
    }

    private static void write(Path file, List<String> targets) throws IOException {
        Files.writeString(file, "[{\"targets\": [\"" + String.join("\", \"", targets) + "\"]}]");
    }

    /** Alerts that fired at any time within the last {@code seconds}. */
    Set<String> firedWithin(long seconds) throws IOException, InterruptedException {
        Set<String> names = new TreeSet<>();
        for (JsonNode result : query("count_over_time(ALERTS{alertstate=\"firing\"}[" + seconds + "s])")) {
            names.add(result.path("metric").path("alertname").asText());
        }
        return names;
    }

    /** The current results of an expression. */
    JsonNode query(String expression) throws IOException, InterruptedException {
        String url = "http://127.0.0.1:"
                + port
                + "/api/v1/query?query="
                + URLEncoder.encode(expression, StandardCharsets.UTF_8);
        HttpResponse<String> response =
                http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        JsonNode answer = JSON.readTree(response.body());
        if (!answer.path("status").asText().equals("success")) {
            throw new IOException(expression + ": " + response.body());
        }
        return answer.path("data").path("result");
    }

    @Override
    public void close() {
        process.close();
    }
}
