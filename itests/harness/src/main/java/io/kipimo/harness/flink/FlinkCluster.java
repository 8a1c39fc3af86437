package io.kipimo.harness.flink;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A running Flink session cluster of this machine. Unless it is a {@link #distribution}, its
 * processes have this JVM's class path, so jobs need no jar:
 *
 * <pre>{@code
 * try (FlinkCluster cluster = FlinkCluster.standalone(2, 2)) {
 *     StreamExecutionEnvironment env = cluster.environment(new Configuration());
 *     ... define the job ...
 *     JobID job = env.executeAsync("name").getJobID();
 * }
 * }</pre>
 *
 * Failed jobs restart after half a second; checkpoints and savepoints go to {@link
 * #checkpointDirectory} unless the job says otherwise.
 */
public abstract sealed class FlinkCluster implements AutoCloseable
        permits StandaloneCluster, InProcessCluster {
    static final String HOST = "127.0.0.1";
    static final long TIMEOUT_SECONDS = 180;

    private final int restPort;
    private final FlinkMetrics metrics;
    private final RestClusterClient<String> client;

    /** Of Prometheus' reporter in each process that has one. */
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
     * A JobManager and {@code taskManagers} TaskManagers in JVMs of their own; all are there when
     * this returns, after some seconds. They end when this JVM ends.
     */
    public static StandaloneCluster standalone(int taskManagers, int slotsEach) {
        return StandaloneCluster.start(
                taskManagers,
                slotsEach,
                TaskManagerTuning.SHORT_LIVED,
                System.getProperty("java.class.path"),
                false);
    }

    /**
     * The same with processes that are sized as for work, not for a test: all the compiler can do,
     * a parallel collector, and memory of which half is for young objects.
     *
     * @param heapMebibytesEach of each TaskManager's heap; a quarter as much again is for RocksDB
     */
    public static StandaloneCluster forThroughput(
            int taskManagers, int slotsEach, int heapMebibytesEach) {
        return StandaloneCluster.start(
                taskManagers,
                slotsEach,
                TaskManagerTuning.forThroughput(heapMebibytesEach),
                System.getProperty("java.class.path"),
                false);
    }

    /**
     * The same, but its processes know only what a distribution of Flink brings: jobs come as jars,
     * as on anybody's cluster.
     */
    public static StandaloneCluster distribution(int taskManagers, int slotsEach) {
        return StandaloneCluster.start(
                taskManagers,
                slotsEach,
                TaskManagerTuning.SHORT_LIVED,
                DistributionClassPath.ofThisJvm(),
                false);
    }

    /**
     * A {@link #distribution} whose jobs outlive its JobManager: what it must not forget is in a
     * ZooKeeper, in one more JVM.
     */
    public static StandaloneCluster highlyAvailable(int taskManagers, int slotsEach) {
        return StandaloneCluster.start(
                taskManagers,
                slotsEach,
                TaskManagerTuning.SHORT_LIVED,
                DistributionClassPath.ofThisJvm(),
                true);
    }

    /** The same within this JVM, started in a second; {@link #killTaskManager} ends it politely. */
    public static FlinkCluster inProcess(int taskManagers, int slotsEach) {
        return InProcessCluster.start(taskManagers, slotsEach);
    }

    public String host() {
        return HOST;
    }

    public int restPort() {
        return restPort;
    }

    /** An environment whose jobs run on this cluster. */
    public StreamExecutionEnvironment environment(Configuration configuration) {
        return StreamExecutionEnvironment.createRemoteEnvironment(HOST, restPort, configuration);
    }

    /** Where checkpoints and savepoints go by default; removed when the cluster is closed. */
    public abstract Path checkpointDirectory();

    /** Starts one more TaskManager, waits until it is registered, and returns its index. */
    public abstract int startTaskManager();

    /**
     * Ends TaskManager {@code index} (they count from 0 in the order of their start) without giving
     * it time for anything.
     */
    public abstract void killTaskManager(int index);

    public JobStatus status(JobID job) {
        return await(client.getJobStatus(job));
    }

    public void cancel(JobID job) {
        await(client.cancel(job));
    }

    /** Stops a job without draining it, and returns the path of its savepoint. */
    public String stopWithSavepoint(JobID job, Path directory) {
        return await(
                client.stopWithSavepoint(
                        job, false, directory.toUri().toString(), SavepointFormatType.CANONICAL));
    }

    /** Whether every task of a job is at work, which its own status does not tell. */
    public boolean areTasksRunning(JobID job) {
        return metrics.areTasksRunning(job);
    }

    /**
     * When the first task of a job began to run, epoch milliseconds.
     *
     * @throws IllegalStateException if none has yet
     */
    public long runningSinceMillis(JobID job) {
        return metrics.runningSinceMillis(job);
    }

    /** Checkpoints that a job completed since it was submitted. */
    public long completedCheckpoints(JobID job) {
        return metrics.completedCheckpoints(job);
    }

    /** How often a job came back from a failure. */
    public long restarts(JobID job) {
        return metrics.restarts(job);
    }

    /**
     * Sum over all subtasks of every metric of a job whose name is {@code name} or ends in {@code
     * .name}; 0 where there is none yet. It lags by half a second.
     */
    public double metricSum(JobID job, String name) {
        return metrics.sum(job, name);
    }

    /**
     * What Prometheus would read of all processes of a {@link #standalone} cluster or a {@link
     * #distribution}; those that are gone say nothing.
     */
    public MetricsPage metricPages() {
        return new MetricsPage(
                reporterPorts.stream()
                        .map(port -> FlinkMetrics.page("http://" + HOST + ":" + port + "/metrics"))
                        .collect(Collectors.joining()));
    }

    /**
     * {@code host:port} of each process's page for Prometheus: the JobManager's, then those of
     * TaskManagers in the order of their start.
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
