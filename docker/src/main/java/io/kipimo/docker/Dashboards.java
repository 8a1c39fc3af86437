package io.kipimo.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the Grafana dashboards in docker/grafana/dashboards. */
public final class Dashboards {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Prefix of metric names of tasks in Flink's Prometheus reporter. */
    private static final String TASK = "flink_taskmanager_job_task_operator_";

    private static final String KIPIMO = TASK + "kipimo_";
    private static final int WIDTH = 12;
    private static final int HEIGHT = 8;

    /** Oldest schema that current Grafana reads without a migration of panels. */
    private static final int SCHEMA = 39;

    private Dashboards() {}

    /**
     * One graph.
     *
     * @param unit Grafana's name of it
     * @param legend template of a line's name
     */
    private record Panel(String title, String unit, String legend, String... expressions) {}

    /** The dashboards as JSON, by file name. */
    public static Map<String, String> all() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("quality.json", dashboard("kipimo-quality", "Kipimo: quality", quality()));
        files.put("control.json", dashboard("kipimo-control", "Kipimo: control", control()));
        files.put("jobs.json", dashboard("kipimo-jobs", "Kipimo: jobs", jobs()));
        return files;
    }

    private static List<Panel> quality() {
        return List.of(
                new Panel(
                        "Error budget burn, low ends of the short and the long window",
                        "short",
                        "{{scope}}",
                        "max by (scope) (" + KIPIMO + "scope_burnRateShort)",
                        "max by (scope) (" + KIPIMO + "scope_burnRateLong)"),
                new Panel(
                        "Mean answer quality, with its 95 % interval",
                        "percentunit",
                        "{{service}}/{{class}} {{metric}} {{bound}}",
                        "kipimo_quality"),
                new Panel(
                        "Error budget left",
                        "percentunit",
                        "{{scope}}",
                        "min by (scope) (" + KIPIMO + "scope_budgetRemaining)"),
                new Panel(
                        "Quality that controllers decided on",
                        "percentunit",
                        "{{scope}}",
                        "max by (scope) ("
                                + KIPIMO
                                + "scope_measured{job_name=\"kipimo-admission\"})"),
                new Panel(
                        "Too few samples to tell",
                        "short",
                        "{{scope}}",
                        "max by (scope) (" + KIPIMO + "scope_tooFewSamples)"),
                new Panel(
                        "Share of the answers that is measurable at all",
                        "percentunit",
                        "{{scope}}",
                        "min by (scope) (" + KIPIMO + "scope_measurableShare)"),
                new Panel(
                        "Queries open",
                        "short",
                        "{{job_name}}",
                        "sum by (job_name) (" + KIPIMO + "openQueries)"),
                new Panel(
                        "Share of measured queries that expired",
                        "percentunit",
                        "{{job_name}}",
                        "kipimo:expired_share:10m"),
                new Panel(
                        "Late events by component",
                        "short",
                        "{{component}}",
                        "sum by (component) (rate(" + KIPIMO + "component_lateEvents[5m]))"),
                new Panel(
                        "99th percentile of services",
                        "µs",
                        "{{service}}",
                        "max by (service) ("
                                + KIPIMO
                                + "service_level_p99Micros{level=\"SERVICE\"})"));
    }

    private static List<Panel> control() {
        return List.of(
                new Panel(
                        "Decided fraction or rate",
                        "percentunit",
                        "{{scope}}",
                        "max by (scope) (" + KIPIMO + "scope_value)"),
                new Panel(
                        "Decisions a second",
                        "short",
                        "{{job_name}}",
                        "sum by (job_name) (rate(" + KIPIMO + "decisions[5m]))"),
                new Panel(
                        "Admitted fraction in force",
                        "percentunit",
                        "{{instance}} {{class}}",
                        "kipimo_gateway_admitted_fraction",
                        "kipimo_haproxy_admitted_fraction"),
                new Panel(
                        "Age of the decision in force",
                        "s",
                        "{{instance}} {{class}}",
                        "kipimo_gateway_decision_age_seconds",
                        "kipimo_haproxy_decision_age_seconds"),
                new Panel(
                        "Turned away a second",
                        "reqps",
                        "{{instance}} {{listener}}",
                        "rate(kipimo_gateway_shed_by_admission_total[5m])",
                        "rate(kipimo_gateway_shed_by_limit_total[5m])"),
                new Panel(
                        "Replication factors in force",
                        "short",
                        "{{instance}} {{listener}}",
                        "kipimo_gateway_factor"),
                new Panel(
                        "Decisions refused by adapters a second",
                        "short",
                        "{{instance}} {{reason}}",
                        "rate(kipimo_haproxy_decisions_refused_total[5m])"),
                new Panel(
                        "Redis: kept, and given up, a second",
                        "short",
                        "{{job_name}}",
                        "sum by (job_name) (rate(" + KIPIMO + "stored[5m]))",
                        "sum by (job_name) (rate(" + KIPIMO + "dropped[5m]))"));
    }

    private static List<Panel> jobs() {
        return List.of(
                new Panel(
                        "Records read a second",
                        "short",
                        "{{job_name}} {{operator_name}}",
                        "sum by (job_name, operator_name) (rate(" + KIPIMO + "records[5m]))"),
                new Panel(
                        "Dead letters a second, by reason",
                        "short",
                        "{{job_name}} {{reason}}",
                        "sum by (job_name, reason) (rate(" + KIPIMO + "reason_rejected[5m]))"),
                new Panel(
                        "Behind event time, where something waits",
                        "ms",
                        "{{job_name}} {{operator_name}}",
                        "max by (job_name, operator_name) ("
                                + TASK
                                + "watermarkLag) and sum by (job_name, operator_name) ("
                                + TASK
                                + "pendingRecords) > 0"),
                new Panel(
                        "Records that wait in the log",
                        "short",
                        "{{job_name}} {{operator_name}}",
                        "sum by (job_name, operator_name) (" + TASK + "pendingRecords)"),
                new Panel(
                        "Restarts",
                        "short",
                        "{{job_name}}",
                        "max by (job_name) (flink_jobmanager_job_numRestarts)"),
                new Panel(
                        "Checkpoints: failed, and time of the last",
                        "ms",
                        "{{job_name}}",
                        "max by (job_name) (flink_jobmanager_job_numberOfFailedCheckpoints)",
                        "max by (job_name) (flink_jobmanager_job_lastCheckpointDuration)"),
                new Panel(
                        "Size of the last checkpoint",
                        "bytes",
                        "{{job_name}}",
                        "max by (job_name) (flink_jobmanager_job_lastCheckpointSize)"),
                new Panel(
                        "Share of time that tasks are busy",
                        "percentunit",
                        "{{job_name}} {{task_name}}",
                        "max by (job_name, task_name)"
                                + " (flink_taskmanager_job_task_busyTimeMsPerSecond) / 1000"));
    }

    private static String dashboard(String uid, String title, List<Panel> panels) {
        ObjectNode root = JSON.createObjectNode();
        root.put("uid", uid);
        root.put("title", title);
        root.put("schemaVersion", SCHEMA);
        root.put("editable", false);
        root.put("refresh", "30s");
        root.putArray("tags").add("kipimo");
        root.putObject("time").put("from", "now-3h").put("to", "now");
        ArrayNode array = root.putArray("panels");
        for (int i = 0; i < panels.size(); i++) {
            array.add(panel(panels.get(i), i));
        }
        try {
            return JSON.writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ObjectNode panel(Panel panel, int index) {
        ObjectNode node = JSON.createObjectNode();
        node.put("id", index + 1);
        node.put("type", "timeseries");
        node.put("title", panel.title());
        node.putObject("datasource").put("type", "prometheus").put("uid", "prometheus");
        node.putObject("gridPos")
                .put("x", index % 2 * WIDTH)
                .put("y", index / 2 * HEIGHT)
                .put("w", WIDTH)
                .put("h", HEIGHT);
        node.putObject("fieldConfig").putObject("defaults").put("unit", panel.unit());
        ArrayNode targets = node.putArray("targets");
        for (int i = 0; i < panel.expressions().length; i++) {
            targets.addObject()
                    .put("refId", String.valueOf((char) ('A' + i)))
                    .put("expr", panel.expressions()[i])
                    .put("legendFormat", panel.legend());
        }
        return node;
    }
}
