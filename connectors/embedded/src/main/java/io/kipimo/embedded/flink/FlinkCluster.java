package io.kipimo.embedded.flink;

import io.kipimo.embedded.process.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.ConfigConstants;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A running Flink session cluster on this machine. Its processes use this JVM's class path, so jobs need no jar, unless
 * it is a {@link #distribution}:
 *
 * <pre>{@code
 * try (FlinkCluster cluster = FlinkCluster.standalone(2, 2)) {
 *     StreamExecutionEnvironment env = cluster.environment(new Configuration());
 *     ... define the job ...
 *     JobID job = env.executeAsync("name").getJobID();
 * }
 * }</pre>
 *
 * Failed jobs restart after half a second. Checkpoints and savepoints go to {@link #checkpointDirectory} unless the job
 * sets another directory.
 */
public abstract sealed class FlinkCluster implements AutoCloseable permits StandaloneCluster, InProcessCluster {
    static final String HOST = "127.0.0.1";
    static final long TIMEOUT_SECONDS = 180;

    private final int restPort;
    private final FlinkMetrics metrics;
    private final RestClusterClient<String> client;

    /** Port of the Prometheus reporter in each process that has one. */
    private final List<Integer> reporterPorts = new CopyOnWriteArrayList<>();

    FlinkCluster(int restPort) {
        this.restPort = restPort;
        this.metrics = new FlinkMetrics(HOST, restPort);
        try {
            this.client = new RestClusterClient<>(ClusterSettings.client(restPort), "harness");
        } catch (Exception e) {
            throw new IllegalStateException("no client for port " + restPort, e);
        }
    }

    /**
     * Starts a JobManager and {@code taskManagers} TaskManagers in JVMs of their own. Returns when all are registered,
     * after some seconds. They end when this JVM ends.
     */
    public static StandaloneCluster standalone(int taskManagers, int slotsEach) {
        return withThisClassPath(taskManagers, slotsEach, TaskManagerTuning.SHORT_LIVED);
    }

    /**
     * Like {@link #standalone}, but tuned for throughput instead of short tests: full compilation, a parallel
     * collector, and half of the memory for the young generation.
     *
     * @param heapMebibytesEach heap of each TaskManager; RocksDB gets a quarter of it in addition
     */
    public static StandaloneCluster forThroughput(int taskManagers, int slotsEach, int heapMebibytesEach) {
        return withThisClassPath(taskManagers, slotsEach, TaskManagerTuning.forThroughput(heapMebibytesEach));
    }

    /**
     * Like {@link #standalone}, but processes have only a Flink distribution on the class path: jobs come as jars, as
     * on a production cluster.
     */
    public static StandaloneCluster distribution(int taskManagers, int slotsEach) {
        return distribution(taskManagers, slotsEach, Map.of());
    }

    /** Like {@link #distribution}, with further options in the {@code config.yaml} of the processes. */
    public static StandaloneCluster distribution(int taskManagers, int slotsEach, Map<String, String> options) {
        return distribution(taskManagers, slotsEach, options, false, Map.of(), List.of());
    }

    /**
     * Like {@link #distribution}, with plugins, such as a file system.
     *
     * @param plugins a directory that has a subdirectory for each plugin
     */
    public static StandaloneCluster distribution(
            int taskManagers, int slotsEach, Map<String, String> options, Path plugins) {
        Map<String, String> environment = Map.of(ConfigConstants.ENV_FLINK_PLUGINS_DIR, plugins.toString());
        return distribution(taskManagers, slotsEach, options, false, environment, List.of());
    }

    /**
     * Like {@link #distribution}, but with one TaskManager that runs a single application, as {@code standalone-job.sh}
     * starts it.
     *
     * @param arguments arguments of the application's main method
     */
    public static StandaloneCluster application(
            int slots, Map<String, String> options, Path jar, List<String> arguments) {
        List<String> application = new ArrayList<>(List.of("--jars", jar.toUri().toString(), "--"));
        application.addAll(arguments);
        return distribution(1, slots, options, false, Map.of(), application);
    }

    /**
     * Like {@link #distribution}, but jobs survive the loss of the JobManager: their metadata is in a ZooKeeper, in one
     * more JVM.
     */
    public static StandaloneCluster highlyAvailable(int taskManagers, int slotsEach) {
        return distribution(taskManagers, slotsEach, Map.of(), true, Map.of(), List.of());
    }

    private static StandaloneCluster withThisClassPath(int taskManagers, int slotsEach, TaskManagerTuning tuning) {
        String classPath = System.getProperty("java.class.path");
        return StandaloneCluster.start(
                taskManagers, slotsEach, tuning, classPath, Map.of(), false, Map.of(), List.of());
    }

    private static StandaloneCluster distribution(
            int taskManagers,
            int slotsEach,
            Map<String, String> options,
            boolean highlyAvailable,
            Map<String, String> environment,
            List<String> application) {
        return StandaloneCluster.start(
                taskManagers,
                slotsEach,
                TaskManagerTuning.SHORT_LIVED,
                DistributionClassPath.ofThisJvm(),
                options,
                highlyAvailable,
                environment,
                application);
    }

    /**
     * Like {@link #standalone}, but within this JVM, and started within a second. Here {@link #killTaskManager} shuts a
     * TaskManager down in an orderly way.
     */
    public static FlinkCluster inProcess(int taskManagers, int slotsEach) {
        return InProcessCluster.start(taskManagers, slotsEach);
    }

    public String host() {
        return HOST;
    }

    public int restPort() {
        return restPort;
    }

    /** Returns an environment whose jobs run on this cluster. */
    public StreamExecutionEnvironment environment(Configuration configuration) {
        return StreamExecutionEnvironment.createRemoteEnvironment(HOST, restPort, configuration);
    }

    /** Default directory of checkpoints and savepoints; removed when the cluster is closed. */
    public abstract Path checkpointDirectory();

    /** Starts one more TaskManager, waits until it is registered, and returns its index. */
    public abstract int startTaskManager();

    /** Kills the TaskManager with the longest uptime. */
    public abstract void killOldestTaskManager();

    /** Starts a TaskManager for each one that has ended, as a cluster manager would. */
    public abstract void replaceTaskManagers();

    /** Kills TaskManager {@code index}, without a shutdown. Indexes count from 0 in the order of start. */
    public abstract void killTaskManager(int index);

    public JobStatus status(JobID job) {
        return await(client.getJobStatus(job));
    }

    public void cancel(JobID job) {
        await(client.cancel(job));
    }

    /** Cancels all jobs. Returns when they have ended, so that their slots are free. */
    public void cancelAll() {
        for (JobStatusMessage job : await(client.listJobs())) {
            if (!job.getJobState().isGloballyTerminalState()) {
                cancel(job.getJobId());
                Await.until(
                        () -> status(job.getJobId()).isGloballyTerminalState(),
                        Duration.ofSeconds(TIMEOUT_SECONDS),
                        () -> "job " + job.getJobName() + " does not end");
            }
        }
    }

    /**
     * Takes a savepoint of a job that continues to run. Returns its path, which is in the cluster's configured
     * directory.
     */
    public String savepoint(JobID job) {
        return await(client.triggerSavepoint(job, null, SavepointFormatType.CANONICAL));
    }

    /** Stops a job without draining it, and returns the path of its savepoint. */
    public String stopWithSavepoint(JobID job, Path directory) {
        return await(client.stopWithSavepoint(job, false, directory.toUri().toString(), SavepointFormatType.CANONICAL));
    }

    /**
     * Stops a job without draining it. Returns the path of its savepoint, which is in the cluster's configured
     * directory.
     */
    public String stopWithSavepoint(JobID job) {
        return await(client.stopWithSavepoint(job, false, null, SavepointFormatType.CANONICAL));
    }

    /** Whether every task of a job is running. The job's own status does not show this. */
    public boolean areTasksRunning(JobID job) {
        return metrics.areTasksRunning(job);
    }

    /**
     * Returns the time at which the first task of a job began to run, epoch milliseconds.
     *
     * @throws IllegalStateException if no task has run yet
     */
    public long runningSinceMillis(JobID job) {
        return metrics.runningSinceMillis(job);
    }

    /** Checkpoints that a job completed since it was submitted. */
    public long completedCheckpoints(JobID job) {
        return metrics.completedCheckpoints(job);
    }

    /** Number of times that a job restarted after a failure. */
    public long restarts(JobID job) {
        return metrics.restarts(job);
    }

    /**
     * Returns the sum, over all subtasks of a job, of every metric whose name is {@code name} or ends in {@code .name};
     * 0 if there is none yet. The value lags by a second.
     */
    public double metricSum(JobID job, String name) {
        return metrics.sum(job, name);
    }

    /**
     * Returns the Prometheus pages of all live processes, concatenated.
     *
     * @param metrics names of the wanted metrics, which cost much less than all metrics; none given: all metrics
     */
    public MetricsPage metricPages(String... metrics) {
        String query = metrics.length == 0
                ? ""
                : Stream.of(metrics).map(name -> "name[]=" + name).collect(Collectors.joining("&", "?", ""));
        return new MetricsPage(reporterPorts.stream()
                .map(port -> FlinkMetrics.page("http://" + HOST + ":" + port + "/metrics" + query))
                .collect(Collectors.joining()));
    }

    /**
     * {@code host:port} of each process's Prometheus page: first the JobManager's, then the TaskManagers' in the order
     * of start.
     */
    public List<String> metricAddresses() {
        return reporterPorts.stream().map(port -> HOST + ":" + port).toList();
    }

    void addReporter(int port) {
        reporterPorts.add(port);
    }

    @Override
    public void close() {
        client.close();
    }

    FlinkMetrics metrics() {
        return metrics;
    }

    static <T> T await(CompletableFuture<T> result) {
        try {
            return result.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("no reply in " + TIMEOUT_SECONDS + " s", e);
        }
    }
}
