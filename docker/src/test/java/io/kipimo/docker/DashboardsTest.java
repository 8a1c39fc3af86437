package io.kipimo.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardsTest {
    private static final Path DIRECTORY = Repository.DOCKER.resolve("grafana/dashboards");
    private static final String RECORDED = "kipimo:";

    private static List<String> expressions() throws IOException {
        List<String> expressions = new ArrayList<>();
        for (String dashboard : Dashboards.all().values()) {
            for (JsonNode panel : new ObjectMapper().readTree(dashboard).path("panels")) {
                panel.path("targets")
                        .forEach(t -> expressions.add(t.path("expr").asText()));
            }
        }
        return expressions;
    }

    @Test
    void theFilesAreUpToDate() throws IOException {
        Dashboards.all().forEach((name, json) -> assertThat(Repository.golden(DIRECTORY.resolve(name), json))
                .as("write %s anew with -Dgolden.write=true", name)
                .isEqualTo(json));
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(Dashboards.all().keySet());
        }
    }

    @Test
    void everyMetricThatAGraphShowsIsCounted() throws IOException {
        MetricNames names = new MetricNames();
        String rules = Repository.text(Repository.DOCKER.resolve("prometheus/alerts.yml"));

        assertThat(expressions()).isNotEmpty().allSatisfy(expression -> {
            assertThat(MetricNames.in(expression)).allMatch(names::exists);
            if (expression.startsWith(RECORDED)) {
                String name = expression.replaceFirst("[{].*", "");
                assertThat(rules).contains("record: " + name + "\n");
            }
        });
    }

    /** One Prometheus may hold many installations, and one Grafana many Prometheus. */
    @Test
    void serviceNamespaceAndDataSourceAreVariables() throws IOException {
        for (String dashboard : Dashboards.all().values()) {
            JsonNode root = new ObjectMapper().readTree(dashboard);
            assertThat(root.at("/templating/list"))
                    .extracting(variable -> variable.path("name").asText())
                    .containsExactly("datasource", "namespace", "service");
            assertThat(root.findValuesAsText("uid"))
                    .allMatch(uid -> uid.startsWith("kipimo-") || uid.equals("${datasource}"));
        }
        assertThat(expressions()).allSatisfy(expression -> assertThat(expression)
                .contains("namespace=~\"$namespace\"")
                .doesNotContainPattern(AlertsTest.MERGES));
    }

    @Test
    void prometheusCanReadEveryExpression(@TempDir Path directory) throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n- name: dashboards\n  rules:\n");
        int number = 0;
        for (String expression : expressions()) {
            rules.append("  - record: panel:")
                    .append(number++)
                    .append("\n    expr: |\n      ")
                    .append(expression)
                    .append('\n');
        }
        AlertsTest.PROMTOOL.output(
                "check",
                "rules",
                Files.writeString(directory.resolve("rules.yml"), rules).toString());
    }
}
