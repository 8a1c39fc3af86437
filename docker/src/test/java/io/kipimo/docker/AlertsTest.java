package io.kipimo.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AlertsTest {
    /** Prometheus' own tool, the only parser of its language. */
    static final ExternalTool PROMTOOL = new ExternalTool("promtool");

    /** Aggregations that name the labels they keep lose those that tell installations apart. */
    static final String MERGES = "\\b(?:by|on) ?\\(";

    private static final Path PROMETHEUS = Repository.DOCKER.resolve("prometheus");

    private static List<JsonNode> rules() {
        List<JsonNode> rules = new ArrayList<>();
        for (JsonNode group :
                Repository.yaml(PROMETHEUS.resolve("alerts.yml")).get(0).path("groups")) {
            group.path("rules").forEach(rules::add);
        }
        return rules;
    }

    private static List<JsonNode> alerts() {
        return rules().stream().filter(rule -> rule.has("alert")).toList();
    }

    @Test
    void everyAlertHasAParagraphOfTheRunbook() {
        List<String> headings = Repository.text(Repository.ROOT.resolve("docs/alerts.md"))
                .lines()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .toList();

        assertThat(alerts()).extracting(alert -> alert.path("alert").asText()).isEqualTo(headings);
        assertThat(alerts()).allSatisfy(alert -> {
            String name = alert.path("alert").asText();
            JsonNode annotations = alert.path("annotations");
            assertThat(annotations.path("runbook_url").asText())
                    .isEqualTo("{{ $externalLabels.kipimo_console }}/runbook.html#" + name.toLowerCase(Locale.ROOT));
            assertThat(annotations.path("summary").asText()).isNotBlank();
            assertThat(alert.path("labels").path("severity").asText()).isIn("page", "ticket");
        });
    }

    @Test
    void theConsoleServesTheRunbook() {
        String page = Runbook.page(Repository.text(Repository.ROOT.resolve("docs/alerts.md")));

        assertThat(Repository.golden(Runbook.FILE, page))
                .as("write it anew with -Dgolden.write=true")
                .isEqualTo(page);
        assertThat(alerts()).allSatisfy(alert -> assertThat(page)
                .contains("<h2 id=\"" + alert.path("alert").asText().toLowerCase(Locale.ROOT) + "\">"));
    }

    @Test
    void everyMetricOfARuleExists() {
        MetricNames names = new MetricNames();

        assertThat(rules())
                .allSatisfy(rule ->
                        assertThat(MetricNames.in(rule.path("expr").asText())).allMatch(names::exists));
        assertThat(names.exists("kipimo_gateway_no_such_total")).isFalse();
        assertThat(names.exists("flink_taskmanager_job_task_operator_kipimo_noSuch"))
                .isFalse();
        assertThat(names.exists("flink_jobmanager_job_noSuch")).isFalse();
    }

    @Test
    void rulesDropOnlyLabelsOfProcessesSoThatInstallationsStayApart() {
        assertThat(rules()).allSatisfy(rule -> {
            String expression = rule.path("expr").asText();
            assertThat(expression).doesNotContainPattern(MERGES);
            assertThat(expression.replaceAll(
                            " without \\(" + Dashboards.OF_A_PROCESS + "(, operator_name)?(, job_id)?\\)", ""))
                    .doesNotContain("without");
        });
    }

    @Test
    void everyAlertIsTestedFiringAndSilent() {
        Set<String> firing = new HashSet<>();
        Set<String> silent = new HashSet<>();
        for (String file : List.of("alerts_test.yml", "alerts_long_test.yml")) {
            for (JsonNode test :
                    Repository.yaml(PROMETHEUS.resolve(file)).get(0).path("tests")) {
                for (JsonNode rule : test.path("alert_rule_test")) {
                    (rule.path("exp_alerts").isEmpty() ? silent : firing)
                            .add(rule.path("alertname").asText());
                }
            }
        }

        assertThat(alerts())
                .extracting(alert -> alert.path("alert").asText())
                .allMatch(firing::contains)
                .allMatch(silent::contains);
    }

    @Test
    void rulesPassTheirTests() throws Exception {
        PROMTOOL.output("test", "rules", PROMETHEUS.resolve("alerts_test.yml").toString());
        PROMTOOL.output("check", "rules", PROMETHEUS.resolve("alerts.yml").toString());
    }

    @Tag("full")
    @Test
    void rulesThatNeedHoursPassTheirTests() throws Exception {
        PROMTOOL.output(
                "test", "rules", PROMETHEUS.resolve("alerts_long_test.yml").toString());
    }
}
