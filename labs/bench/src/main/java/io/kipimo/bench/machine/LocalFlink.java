package io.kipimo.bench.machine;

import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.jobs.JobEnvironment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.checkpoint.SubtaskStateStats;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionJobVertex;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.executiongraph.ArchivedExecutionGraph;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Flink within this JVM. Jobs get Kipimo's default settings. */
public final class LocalFlink implements AutoCloseable {
    /** Number of slots: one for each of two cores. */
    public static final int SLOTS = 2;

    /** Network memory of a slot, enough for the quality job. */
    private static final int NETWORK_MEBIBYTES_A_SLOT = 32;

    /** Time between polls. Polling takes processor time, which counts as the job's. */
    private static final long POLL_MILLIS = 250;

    private final ScratchDirectory scratch = ScratchDirectory.create("bench-flink");
    private final MiniCluster cluster;

    private LocalFlink(int slots) throws Exception {
        Configuration settings = new Configuration();
        settings.set(CoreOptions.TMP_DIRS, scratch.directory("tmp").toString());
        settings.set(RestOptions.BIND_PORT, "0");
        // For RocksDB's caches and write buffers.
        settings.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(1024));
        MemorySize network = MemorySize.ofMebiBytes((long) NETWORK_MEBIBYTES_A_SLOT * slots);
        settings.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
        settings.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
        settings.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                scratch.directory("checkpoints").toUri().toString());
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(settings)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .build());
        cluster.start();
    }

    public static LocalFlink start(int slots) throws Exception {
        return new LocalFlink(slots);
    }

    /** Adds a job's operators to an environment. */
    public interface Definition {
        void define(StreamExecutionEnvironment env) throws Exception;
    }

    /**
     * Submits a job of parallelism 2.
     *
     * @param settings in addition to Kipimo's defaults
     */
    public JobID submit(Configuration settings, Definition job) throws Exception {
        return submit(settings, SLOTS, job);
    }

    /** Submits a job like {@link #submit(Configuration, Definition)}, at another parallelism. */
    public JobID submit(Configuration settings, int parallelism, Definition job) throws Exception {
        Configuration whole = JobEnvironment.withDefaults(settings);
        // After a restart, the time would count from the second start only.
        whole.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(whole);
        env.setParallelism(parallelism);
        job.define(env);
        JobGraph graph = env.getStreamGraph().getJobGraph();
        return cluster.submitJob(graph).get().getJobID();
    }

    /** Runs a bounded job to its end. */
    public void run(Configuration settings, Definition job) throws Exception {
        JobID id = submit(settings, job);
        cluster.requestJobResult(id).get().toJobExecutionResult(LocalFlink.class.getClassLoader());
    }

    /**
     * Submits a job, and polls a condition. Returns when it holds.
     *
     * @throws IllegalStateException if the job ends by itself
     */
    public JobID runUntil(Configuration settings, Definition job, Callable<Boolean> isOver) throws Exception {
        JobID id = submit(settings, job);
        while (!isOver.call()) {
            if (cluster.getJobStatus(id).get().isGloballyTerminalState()) {
                cluster.requestJobResult(id).get().toJobExecutionResult(LocalFlink.class.getClassLoader());
                throw new IllegalStateException("the job ended before it was done");
            }
            Thread.sleep(POLL_MILLIS);
        }
        return id;
    }

    /** Returns whether all tasks of a job are running. */
    public boolean isRunning(JobID job) throws ExecutionException, InterruptedException {
        List<AccessExecutionVertex> tasks =
                tasks(cluster.getArchivedExecutionGraph(job).get());
        return !tasks.isEmpty() && tasks.stream().allMatch(t -> t.getExecutionState() == ExecutionState.RUNNING);
    }

    /**
     * Takes a checkpoint. Returns when it is complete.
     *
     * @throws IllegalStateException if the job has failed, with the reason
     */
    public void checkpoint(JobID job) throws ExecutionException, InterruptedException {
        reasoned(job, cluster.triggerCheckpoint(job, CheckpointType.FULL));
    }

    /** The last complete checkpoint of a job. */
    public CompletedCheckpointStats lastCheckpoint(JobID job) throws ExecutionException, InterruptedException {
        return cluster.getArchivedExecutionGraph(job)
                .get()
                .getCheckpointStatsSnapshot()
                .getHistory()
                .getLatestCompletedCheckpoint();
    }

    /** Longest synchronous phase of a checkpoint, over all tasks, milliseconds. */
    public static long synchronousMillis(CompletedCheckpointStats checkpoint) {
        return checkpoint.getAllTaskStateStats().stream()
                .flatMap(task -> Arrays.stream(task.getSubtaskStats()))
                .filter(Objects::nonNull)
                .mapToLong(SubtaskStateStats::getSyncCheckpointDuration)
                .max()
                .orElse(0);
    }

    /**
     * Stops a job with a savepoint.
     *
     * @return the savepoint's address
     * @throws IllegalStateException if the job has failed, with the reason
     */
    public String stop(JobID job, SavepointFormatType format) throws ExecutionException, InterruptedException {
        String savepoint = reasoned(
                job,
                cluster.stopWithSavepoint(
                        job, scratch.directory("savepoints").toUri().toString(), false, format));
        cluster.requestJobResult(job).get();
        return savepoint;
    }

    public void cancel(JobID job) throws ExecutionException, InterruptedException {
        cluster.cancelJob(job).get();
        cluster.requestJobResult(job).get();
    }

    @Override
    public void close() throws Exception {
        cluster.close();
        scratch.close();
    }

    /**
     * Result of a call to a running job. If the job has failed, throws an exception with the reason; Flink's own
     * exception would say only that the job is not running.
     */
    private <T> T reasoned(JobID job, Future<T> call) throws ExecutionException, InterruptedException {
        try {
            return call.get();
        } catch (ExecutionException e) {
            ErrorInfo failure = cluster.getArchivedExecutionGraph(job).get().getFailureInfo();
            if (failure != null) {
                throw new IllegalStateException("the job failed: " + failure.getExceptionAsString(), e);
            }
            throw e;
        }
    }

    private static List<AccessExecutionVertex> tasks(ArchivedExecutionGraph graph) {
        return graph.getAllVertices().values().stream()
                .map(AccessExecutionJobVertex::getTaskVertices)
                .flatMap(Arrays::stream)
                .toList();
    }
}
