package io.kipimo.embedded.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.JobID;

/** Reads job details from Flink's REST interface that its typed client does not offer. */
final class FlinkMetrics {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final String root;

    FlinkMetrics(String host, int port) {
        root = "http://" + host + ":" + port;
    }

    double sum(JobID job, String name) {
        double sum = 0;
        for (JsonNode vertex : get("/jobs/" + job).path("vertices")) {
            String path = "/jobs/" + job + "/vertices/" + vertex.path("id").asText() + "/subtasks/metrics";
            List<String> names = new ArrayList<>();
            for (JsonNode metric : get(path)) {
                String id = metric.path("id").asText();
                if (id.equals(name) || id.endsWith("." + name)) {
                    names.add(URLEncoder.encode(id, StandardCharsets.UTF_8));
                }
            }
            if (!names.isEmpty()) {
                for (JsonNode metric : get(path + "?agg=sum&get=" + String.join(",", names))) {
                    sum += metric.path("sum").asDouble();
                }
            }
        }
        return sum;
    }

    boolean areTasksRunning(JobID job) {
        JsonNode vertices = get("/jobs/" + job).path("vertices");
        for (JsonNode vertex : vertices) {
            if (!vertex.path("status").asText().equals("RUNNING")) {
                return false;
            }
        }
        return !vertices.isEmpty();
    }

    long runningSinceMillis(JobID job) {
        long first = Long.MAX_VALUE;
        for (JsonNode vertex : get("/jobs/" + job).path("vertices")) {
            String times = "/jobs/" + job + "/vertices/" + vertex.path("id").asText() + "/subtasktimes";
            for (JsonNode subtask : get(times).path("subtasks")) {
                long since = subtask.path("timestamps").path("RUNNING").asLong();
                first = since > 0 ? Math.min(first, since) : first;
            }
        }
        if (first == Long.MAX_VALUE) {
            throw new IllegalStateException("no task of job " + job + " runs yet");
        }
        return first;
    }

    long completedCheckpoints(JobID job) {
        return get("/jobs/" + job + "/checkpoints")
                .path("counts")
                .path("completed")
                .asLong();
    }

    long restarts(JobID job) {
        long restarts = 0;
        for (JsonNode metric : get("/jobs/" + job + "/metrics?get=numRestarts")) {
            restarts = metric.path("value").asLong();
        }
        return restarts;
    }

    /** Whether the REST interface answers. */
    boolean answers() {
        try {
            get("/overview");
            return true;
        } catch (UncheckedIOException | IllegalStateException e) {
            return false;
        }
    }

    /** Whether a TaskManager is registered. */
    boolean hasTaskManager(String resourceId) {
        for (JsonNode manager : get("/taskmanagers").path("taskmanagers")) {
            if (manager.path("id").asText().equals(resourceId)) {
                return true;
            }
        }
        return false;
    }

    /** Reads a page in Prometheus' format; empty if the connection fails. */
    static String page(String url) {
        try {
            HttpResponse<String> response =
                    HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
            return response.body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private JsonNode get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(root + path)).build();
        try {
            HttpResponse<byte[]> response = HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(path
                        + " gave "
                        + response.statusCode()
                        + ": "
                        + new String(response.body(), StandardCharsets.UTF_8));
            }
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(root + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
