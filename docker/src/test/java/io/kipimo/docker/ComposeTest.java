package io.kipimo.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.jobs.submission.Submission;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks of the Compose file that need no engine. */
class ComposeTest {
    private static final JsonNode COMPOSE =
            Repository.yaml(Repository.DOCKER.resolve("compose.yaml")).get(0);

    private static List<JsonNode> services() {
        List<JsonNode> services = new ArrayList<>();
        COMPOSE.path("services").forEach(services::add);
        return services;
    }

    @Test
    void portsAreOpenOnLoopbackOnly() {
        assertThat(services())
                .flatExtracting(service -> texts(service.path("ports")))
                .isNotEmpty()
                .allMatch(port -> port.startsWith("127.0.0.1:"));
    }

    @Test
    void everyFileThatIsMountedIsThere() {
        assertThat(services())
                .flatExtracting(service -> texts(service.path("volumes")))
                .filteredOn(volume -> volume.startsWith("./"))
                .isNotEmpty()
                .allMatch(volume -> Files.exists(Repository.DOCKER.resolve(volume.split(":")[0])));
    }

    @Test
    void whatIsSubmittedHasRightOptions() {
        List<String> jobs = new ArrayList<>();
        for (JsonNode service : services()) {
            List<String> command = texts(service.path("command"));
            if (!command.isEmpty() && command.get(0).equals("submit")) {
                List<String> arguments = new ArrayList<>(List.of(command.get(1)));
                command.stream().filter(word -> word.startsWith("-D")).forEach(arguments::add);
                jobs.add(Submission.of(arguments).job().jobName());
            }
        }
        assertThat(jobs).contains("quality", "admission", "tails");
    }

    @Test
    void whatPrometheusScrapesIsAService() {
        JsonNode prometheus = Repository.yaml(Repository.DOCKER.resolve("prometheus/prometheus.yml"))
                .get(0);
        List<String> hosts = new ArrayList<>();
        for (JsonNode job : prometheus.path("scrape_configs")) {
            job.path("static_configs").forEach(c -> hosts.addAll(texts(c.path("targets"))));
            job.path("dns_sd_configs").forEach(c -> hosts.addAll(texts(c.path("names"))));
        }
        assertThat(hosts).isNotEmpty().allMatch(host -> COMPOSE.path("services").has(host.split(":")[0]));
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        if (array.isArray()) {
            array.forEach(text -> texts.add(text.asText()));
        }
        return texts;
    }
}
