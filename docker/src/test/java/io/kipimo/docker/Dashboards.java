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
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Prefix of metric names of tasks in Flink's Prometheus reporter. */
    private static final String TASK = "flink_taskmanager_job_task_operator_";

    private static final String KIPIMO = TASK + "kipimo_";

    /**
     * Labels of a process or a task. Rules and dashboards drop only these, so that two installations under one
     * Prometheus are never merged, by whatever label they differ.
     */
    static final String OF_A_PROCESS = "host, instance, pod, container, tm_id, task_id, task_name, task_attempt_id,"
            + " task_attempt_num, subtask_index, operator_id";

    /** Selects by the dashboard's variables; a label that a target lacks matches "All". */
    private static final String NAMESPACE = "namespace=~\"$namespace\"";

    private static final String SERVICE = NAMESPACE + ",service=~\"$service\"";
    private static final String SCOPE = NAMESPACE + ",scope=~\"($service)(/.*)?\"";
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
                        "{{namespace}} {{scope}}",
                        over("max", KIPIMO + "scope_burnRateShort", SCOPE),
                        over("max", KIPIMO + "scope_burnRateLong", SCOPE)),
                new Panel(
                        "Mean answer quality, with its 95 % interval",
                        "percentunit",
                        "{{namespace}} {{service}}/{{class}} {{metric}} {{bound}}",
                        of("kipimo_quality", SERVICE)),
                new Panel(
                        "Error budget left",
                        "percentunit",
                        "{{namespace}} {{scope}}",
                        over("min", KIPIMO + "scope_budgetRemaining", SCOPE)),
                new Panel(
                        "Quality that controllers decided on",
                        "percentunit",
                        "{{namespace}} {{scope}}",
                        over("max", KIPIMO + "scope_measured", SCOPE + ",job_name=\"kipimo-admission\"")),
                new Panel(
                        "Too few samples to tell",
                        "short",
                        "{{namespace}} {{scope}}",
                        over("max", KIPIMO + "scope_tooFewSamples", SCOPE)),
                new Panel(
                        "Share of the answers that is measurable at all",
                        "percentunit",
                        "{{namespace}} {{service}}/{{class}}",
                        of("kipimo_measurable_ratio", SERVICE)),
                new Panel(
                        "Queries open",
                        "short",
                        "{{namespace}} {{job_name}}",
                        over("sum", KIPIMO + "openQueries", NAMESPACE)),
                new Panel(
                        "Share of measured queries that expired",
                        "percentunit",
                        "{{namespace}} {{job_name}}",
                        of("kipimo:expired_share:10m", NAMESPACE)),
                new Panel(
                        "Late events by component",
                        "short",
                        "{{namespace}} {{component}}",
                        rate(KIPIMO + "component_lateEvents", NAMESPACE)),
                new Panel(
                        "99th percentile of services",
                        "µs",
                        "{{namespace}} {{service}}",
                        over("max", KIPIMO + "service_level_p99Micros", SERVICE + ",level=\"SERVICE\"")));
    }

    private static List<Panel> control() {
        return List.of(
                new Panel(
                        "Decided fraction or rate",
                        "percentunit",
                        "{{namespace}} {{scope}}",
                        over("max", KIPIMO + "scope_value", SCOPE)),
                new Panel(
                        "Decisions a second",
                        "short",
                        "{{namespace}} {{job_name}}",
                        rate(KIPIMO + "decisions", NAMESPACE)),
                new Panel(
                        "Admitted fraction in force",
                        "percentunit",
                        "{{namespace}} {{instance}} {{class}}",
                        of("kipimo_gateway_admitted_fraction", NAMESPACE),
                        of("kipimo_haproxy_admitted_fraction", NAMESPACE)),
                new Panel(
                        "Age of the decision in force",
                        "s",
                        "{{namespace}} {{instance}} {{class}}",
                        of("kipimo_gateway_decision_age_seconds", NAMESPACE),
                        of("kipimo_haproxy_decision_age_seconds", NAMESPACE)),
                new Panel(
                        "Turned away a second",
                        "reqps",
                        "{{namespace}} {{instance}} {{listener}}",
                        "rate(" + of("kipimo_gateway_shed_by_admission_total", NAMESPACE) + "[5m])",
                        "rate(" + of("kipimo_gateway_shed_by_limit_total", NAMESPACE) + "[5m])"),
                new Panel(
                        "Replication factors in force",
                        "short",
                        "{{namespace}} {{instance}} {{listener}}",
                        of("kipimo_gateway_factor", NAMESPACE)),
                new Panel(
                        "Decisions refused by adapters a second",
                        "short",
                        "{{namespace}} {{instance}} {{reason}}",
                        "rate(" + of("kipimo_haproxy_decisions_refused_total", NAMESPACE) + "[5m])"),
                new Panel(
                        "Redis: kept, and given up, a second",
                        "short",
                        "{{namespace}} {{job_name}}",
                        rate(KIPIMO + "stored", NAMESPACE),
                        rate(KIPIMO + "dropped", NAMESPACE)),
                new Panel(
                        "Classes by the console's verdict",
                        "short",
                        "{{namespace}} {{instance}} {{status}}",
                        of("kipimo_console_classes", NAMESPACE)));
    }

    private static List<Panel> jobs() {
        return List.of(
                new Panel(
                        "Records read a second",
                        "short",
                        "{{namespace}} {{job_name}}",
                        rate(KIPIMO + "records", NAMESPACE)),
                new Panel(
                        "Dead letters a second, by reason",
                        "short",
                        "{{namespace}} {{job_name}} {{reason}}",
                        rate(KIPIMO + "reason_rejected", NAMESPACE)),
                new Panel(
                        "Behind event time, where something waits",
                        "ms",
                        "{{namespace}} {{job_name}} {{operator_name}}",
                        bySource("max", "watermarkLag") + " and " + bySource("sum", "pendingRecords") + " > 0"),
                new Panel(
                        "Records that wait in the log",
                        "short",
                        "{{namespace}} {{job_name}} {{operator_name}}",
                        bySource("sum", "pendingRecords")),
                new Panel(
                        "Restarts",
                        "short",
                        "{{namespace}} {{job_name}}",
                        over("max", "flink_jobmanager_job_numRestarts", NAMESPACE)),
                new Panel(
                        "Checkpoints: failed, and time of the last",
                        "ms",
                        "{{namespace}} {{job_name}}",
                        over("max", "flink_jobmanager_job_numberOfFailedCheckpoints", NAMESPACE),
                        over("max", "flink_jobmanager_job_lastCheckpointDuration", NAMESPACE)),
                new Panel(
                        "Size of the last checkpoint",
                        "bytes",
                        "{{namespace}} {{job_name}}",
                        over("max", "flink_jobmanager_job_lastCheckpointSize", NAMESPACE)),
                new Panel(
                        "Share of time that tasks are busy",
                        "percentunit",
                        "{{namespace}} {{job_name}} {{task_name}} {{subtask_index}}",
                        of("flink_taskmanager_job_task_busyTimeMsPerSecond", NAMESPACE) + " / 1000"));
    }

    private static String of(String metric, String selector) {
        return metric + '{' + selector + '}';
    }

    private static String over(String aggregation, String metric, String selector) {
        return aggregation + " without (" + OF_A_PROCESS + ", operator_name) (" + of(metric, selector) + ')';
    }

    private static String rate(String counter, String selector) {
        return "sum without (" + OF_A_PROCESS + ", operator_name) (rate(" + of(counter, selector) + "[5m]))";
    }

    private static String bySource(String aggregation, String metric) {
        return aggregation + " without (" + OF_A_PROCESS + ") (" + of(TASK + metric, NAMESPACE) + ')';
    }

    private static void variables(ObjectNode root) {
        ArrayNode list = root.putObject("templating").putArray("list");
        list.addObject()
                .put("name", "datasource")
                .put("label", "Data source")
                .put("type", "datasource")
                .put("query", "prometheus");
        variable(list, "namespace", "up{job=~\"flink-.*|kipimo-.*\"}");
        variable(list, "service", KIPIMO + "service_class_measurableRatio{namespace=~\"$namespace\"}");
    }

    /** A variable with the values of the label of its name. */
    private static void variable(ArrayNode list, String label, String series) {
        ObjectNode node = list.addObject();
        node.put("name", label)
                .put("type", "query")
                .put("includeAll", true)
                .put("multi", true)
                .put("allValue", ".*")
                .put("refresh", 2);
        node.putObject("current").put("text", "All").put("value", "$__all");
        datasource(node);
        String query = "label_values(" + series + ", " + label + ')';
        node.put("definition", query);
        node.putObject("query").put("query", query).put("refId", label);
    }

    private static void datasource(ObjectNode node) {
        node.putObject("datasource").put("type", "prometheus").put("uid", "${datasource}");
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
        variables(root);
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
        datasource(node);
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
