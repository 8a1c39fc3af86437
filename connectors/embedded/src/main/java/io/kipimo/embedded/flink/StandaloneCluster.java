package io.kipimo.embedded.flink;

import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.ScratchDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;
import org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.ZooKeeperServerMain;

/** A cluster whose JobManager and TaskManagers are Flink's own entry points, each in a JVM of its own. */
public final class StandaloneCluster extends FlinkCluster {
    private static final Duration PATIENCE = Duration.ofSeconds(TIMEOUT_SECONDS);

    /** Time after which a dead JobManager has lost its leadership. */
    private static final Duration ZOOKEEPER_SESSION = Duration.ofSeconds(6);

    private final int size;
    private final ScratchDirectory scratch;
    final String classPath;
    private final TaskManagerTuning tuning;
    private final Map<String, String> environment;
    private final List<String> application;
    private final List<ChildProcess> taskManagers = new ArrayList<>();
    private ChildProcess jobManager;
    private ChildProcess zooKeeper;

    private StandaloneCluster(
            int restPort,
            int size,
            ScratchDirectory scratch,
            String classPath,
            TaskManagerTuning tuning,
            Map<String, String> environment,
            List<String> application) {
        super(restPort);
        this.size = size;
        this.scratch = scratch;
        this.classPath = classPath;
        this.tuning = tuning;
        this.environment = environment;
        this.application = application;
    }

    /**
     * @param application arguments for a JobManager that runs one application; none given: the JobManager runs a
     *     session
     */
    static StandaloneCluster start(
            int taskManagers,
            int slotsEach,
            TaskManagerTuning tuning,
            String classPath,
            Map<String, String> options,
            boolean highlyAvailable,
            Map<String, String> environment,
            List<String> application) {
        ScratchDirectory scratch = ScratchDirectory.create("flink");
        int[] ports = FreePorts.distinct(3);
        Configuration settings = ClusterSettings.cluster(ports[0], scratch.path(), slotsEach);
        settings.set(JobManagerOptions.PORT, ports[1]);
        ClusterSettings.sizeTaskManager(settings, slotsEach, tuning);
        if (highlyAvailable) {
            settings.set(HighAvailabilityOptions.HA_MODE, "zookeeper");
            settings.set(HighAvailabilityOptions.HA_ZOOKEEPER_QUORUM, HOST + ":" + ports[2]);
            settings.set(
                    HighAvailabilityOptions.HA_STORAGE_PATH,
                    scratch.directory("ha").toUri().toString());
            settings.set(HighAvailabilityOptions.ZOOKEEPER_SESSION_TIMEOUT, ZOOKEEPER_SESSION);
        }
        settings.addAll(Configuration.fromMap(options));
        write(settings, scratch.directory("conf").resolve("config.yaml"));
        StandaloneCluster cluster =
                new StandaloneCluster(ports[0], taskManagers, scratch, classPath, tuning, environment, application);
        try {
            if (highlyAvailable) {
                cluster.startZooKeeper(ports[2]);
            }
            cluster.startJobManager();
            for (int i = 0; i < taskManagers; i++) {
                cluster.launchTaskManager();
            }
            for (int i = 0; i < taskManagers; i++) {
                cluster.awaitTaskManager(i);
            }
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    @Override
    public Path checkpointDirectory() {
        return scratch.directory("checkpoints");
    }

    @Override
    public int startTaskManager() {
        int index = launchTaskManager();
        awaitTaskManager(index);
        return index;
    }

    /**
     * Starts a TaskManager for each one that has ended. TaskManagers end when they are killed, or because Flink 2.2.1
     * itself ends one whose task cannot be cleaned up after the connection to a killed TaskManager was lost.
     */
    @Override
    public void replaceTaskManagers() {
        while (taskManagerProcesses().size() < size) {
            int unused = startTaskManager();
        }
    }

    @Override
    public void killTaskManager(int index) {
        taskManagers.get(index).kill();
    }

    @Override
    public long restarts(JobID job) {
        return (long) metricPages().ofJob("flink_jobmanager_job_numRestarts", job);
    }

    @Override
    public void killOldestTaskManager() {
        taskManagers.stream()
                .filter(ChildProcess::isAlive)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no TaskManager lives"))
                .kill();
    }

    /** Process ids of the live TaskManagers. */
    public List<Long> taskManagerProcesses() {
        return taskManagers.stream()
                .filter(ChildProcess::isAlive)
                .map(ChildProcess::pid)
                .toList();
    }

    /** Kills the JobManager, without a shutdown. */
    public void killJobManager() {
        jobManager.kill();
    }

    @Override
    public void close() {
        super.close();
        // No state of these processes is needed after this, so they can be killed.
        taskManagers.forEach(ChildProcess::kill);
        Stream.of(jobManager, zooKeeper).filter(Objects::nonNull).forEach(ChildProcess::kill);
        scratch.close();
    }

    private void startZooKeeper(int port) {
        zooKeeper = ChildProcess.start(
                ZooKeeperServerMain.class.getName(),
                classPath,
                List.of("-Xmx128m", "-XX:+UseSerialGC", "-Dzookeeper.admin.enableServer=false"),
                List.of(Integer.toString(port), scratch.directory("zookeeper").toString()),
                log("zookeeper"));
        zooKeeper.awaitReady("ZooKeeper", () -> ForeignProcess.listens(port), PATIENCE);
    }

    /** Starts a JobManager at the address of the previous one, and waits until it answers. */
    public void startJobManager() {
        List<String> arguments =
                new ArrayList<>(List.of("--configDir", scratch.directory("conf").toString(), "-D", reporter()));
        arguments.addAll(application);
        jobManager = ChildProcess.start(
                (application.isEmpty()
                                ? StandaloneSessionClusterEntrypoint.class
                                : StandaloneApplicationClusterEntryPoint.class)
                        .getName(),
                classPath,
                jvm(TaskManagerTuning.SHORT_LIVED_JVM),
                arguments,
                environment,
                log("jobmanager"));
        jobManager.awaitReady("JobManager", metrics()::answers, PATIENCE);
    }

    private int launchTaskManager() {
        int index = taskManagers.size();
        taskManagers.add(ChildProcess.start(
                TaskManagerRunner.class.getName(),
                classPath,
                jvm(tuning.jvmArguments()),
                List.of(
                        "--configDir",
                        scratch.directory("conf").toString(),
                        "-D",
                        "taskmanager.resource-id=" + resourceId(index),
                        "-D",
                        reporter()),
                environment,
                log(resourceId(index))));
        return index;
    }

    /** Option that gives a process's reporter its own port. */
    private String reporter() {
        int port = FreePorts.one();
        addReporter(port);
        return ClusterSettings.REPORTER_PORT + "=" + port;
    }

    private void awaitTaskManager(int index) {
        taskManagers
                .get(index)
                .awaitReady("TaskManager " + index, () -> metrics().hasTaskManager(resourceId(index)), PATIENCE);
    }

    private static String resourceId(int index) {
        return "taskmanager-" + index;
    }

    Path log(String name) {
        return scratch.directory("log").resolve(name + ".log");
    }

    static List<String> jvm(List<String> arguments) {
        List<String> all = new ArrayList<>(arguments);
        // Same value as in the configuration of every distribution.
        all.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        all.add("--add-opens=java.base/java.util=ALL-UNNAMED");
        all.add("-Dkipimo.log.level=INFO");
        return all;
    }

    private static void write(Configuration settings, Path file) {
        StringBuilder yaml = new StringBuilder();
        new TreeMap<>(settings.toMap()).forEach((key, value) -> yaml.append(key + ": '" + value + "'\n"));
        try {
            Files.writeString(file, yaml, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
