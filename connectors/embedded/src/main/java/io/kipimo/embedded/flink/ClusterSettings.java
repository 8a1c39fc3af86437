package io.kipimo.embedded.flink;

import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.client.cli.ArtifactFetchOptions;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.metrics.prometheus.PrometheusReporterFactory;

/** Flink configuration for single-machine clusters whose processes are killed often. */
final class ClusterSettings {
    /** Option for the port of a process's Prometheus page; each process has its own port. */
    static final String REPORTER_PORT = "metrics.reporter.prom.port";

    private ClusterSettings() {}

    static Configuration client(int restPort) {
        Configuration c = new Configuration();
        c.set(RestOptions.ADDRESS, FlinkCluster.HOST);
        c.set(RestOptions.PORT, restPort);
        c.set(JobManagerOptions.ADDRESS, FlinkCluster.HOST);
        return c;
    }

    static Configuration cluster(int restPort, Path scratch, int slots) {
        Configuration c = client(restPort);
        c.set(RestOptions.BIND_ADDRESS, FlinkCluster.HOST);
        c.set(RestOptions.BIND_PORT, Integer.toString(restPort));
        c.set(JobManagerOptions.BIND_HOST, FlinkCluster.HOST);
        c.set(TaskManagerOptions.HOST, FlinkCluster.HOST);
        c.set(TaskManagerOptions.BIND_HOST, FlinkCluster.HOST);
        c.set(TaskManagerOptions.NUM_TASK_SLOTS, slots);
        c.set(CoreOptions.TMP_DIRS, scratch.resolve("tmp").toString());
        c.set(ArtifactFetchOptions.BASE_DIR, scratch.resolve("artifacts").toString());

        // Two refused heartbeats tell a lost process, after 2 s. Silence is no such evidence: a busy machine is silent
        // for seconds, and its job would restart.
        c.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofSeconds(1));
        c.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, Duration.ofMinutes(1));
        c.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        c.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        c.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(500));
        c.set(MetricOptions.METRIC_FETCHER_UPDATE_INTERVAL, Duration.ofSeconds(1));
        // Age of the cached states of jobs and checkpoints, which tests wait for; the default is 3
        // s.
        c.set(WebOptions.REFRESH_INTERVAL, Duration.ofMillis(200));
        c.set(RestOptions.CACHE_CHECKPOINT_STATISTICS_TIMEOUT, Duration.ofMillis(200));

        c.set(MetricOptions.REPORTERS_LIST, "prom");
        c.setString("metrics.reporter.prom.factory.class", PrometheusReporterFactory.class.getName());
        // Label values such as a scope contain characters that the filter would replace: service/class.
        c.setString("metrics.reporter.prom.filterLabelValueCharacters", "false");

        String checkpoints = scratch.resolve("checkpoints").toUri().toString();
        c.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints);
        c.set(CheckpointingOptions.SAVEPOINT_DIRECTORY, checkpoints);
        return c;
    }

    /** Memory sizes that a TaskManager's start script would compute. Without the script, all must be set. */
    static void sizeTaskManager(Configuration c, int slots, TaskManagerTuning tuning) {
        c.set(TaskManagerOptions.TASK_MANAGER_LOAD_BALANCE_MODE, tuning.balance());
        c.set(TaskManagerOptions.CPU_CORES, (double) slots);
        int frameworkMebibytes = 128;
        c.set(TaskManagerOptions.FRAMEWORK_HEAP_MEMORY, MemorySize.ofMebiBytes(frameworkMebibytes));
        c.set(TaskManagerOptions.TASK_HEAP_MEMORY, MemorySize.ofMebiBytes(tuning.heapMebibytes() - frameworkMebibytes));
        c.set(TaskManagerOptions.FRAMEWORK_OFF_HEAP_MEMORY, MemorySize.ofMebiBytes(128));
        c.set(TaskManagerOptions.TASK_OFF_HEAP_MEMORY, MemorySize.ZERO);
        c.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
        c.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
        c.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(tuning.managedMebibytes()));
        c.set(TaskManagerOptions.JVM_METASPACE, MemorySize.ofMebiBytes(256));
        c.set(TaskManagerOptions.JVM_OVERHEAD_MIN, MemorySize.ofMebiBytes(192));
        c.set(TaskManagerOptions.JVM_OVERHEAD_MAX, MemorySize.ofMebiBytes(192));
    }
}
