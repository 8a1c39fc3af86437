package io.kipimo.embedded.flink;

import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.apache.flink.api.common.JobID;

/** Metrics in Prometheus' text format: one page, or several concatenated. */
public record MetricsPage(String text) {
    /** Prefix of the names of all operators' metrics. */
    public static final String OPERATORS = "flink_taskmanager_job_task_operator_";

    /** Sum over all series of a metric; 0 if there is none. */
    public double sum(String metric) {
        return series(metric, "").sum();
    }

    /**
     * Sum over the series of a metric that have a label; 0 if there is none.
     *
     * @param label as written on the page, for example {@code job_id="1f"}
     */
    public double sum(String metric, String label) {
        return series(metric, label).sum();
    }

    /**
     * Sum over all subtasks of an operator's metric, for example of {@code kipimo_joinedEvents}. Flink's REST
     * interface, and so {@link FlinkCluster#metricSum}, may return outdated values after TaskManagers were killed.
     */
    public double ofOperators(String metric, JobID job) {
        return ofJob(OPERATORS + metric, job);
    }

    double ofJob(String metric, JobID job) {
        return sum(metric, "job_id=\"" + job + '"');
    }

    /** The first series of a metric; empty if there is none. */
    public OptionalDouble first(String metric) {
        return series(metric, "").findFirst();
    }

    private DoubleStream series(String metric, String label) {
        return text.lines()
                .filter(line -> line.startsWith(metric + '{') || line.startsWith(metric + ' '))
                .filter(line -> line.contains(label))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
    }
}
