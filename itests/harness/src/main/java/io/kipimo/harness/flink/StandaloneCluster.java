package io.kipimo.harness.flink;

import io.kipimo.harness.process.ChildProcess;
import io.kipimo.harness.process.FreePorts;
import io.kipimo.harness.process.ScratchDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.metrics.prometheus.PrometheusReporterFactory;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;

/** Flink's own entry points, each in a JVM of its own. */
final class StandaloneCluster extends FlinkCluster {
    private static final long POLL_MILLIS = 100;

    private final ScratchDirectory scratch;
    private final String classPath;
    private final List<ChildProcess> taskManagers = new ArrayList<>();
    private ChildProcess jobManager;

    private StandaloneCluster(int restPort, ScratchDirectory scratch, String classPath) {
        super(restPort);
        this.scratch = scratch;
        this.classPath = classPath;
    }

    static StandaloneCluster start(int taskManagers, int slotsEach, String classPath) {
        ScratchDirectory scratch = ScratchDirectory.create("flink");
        int[] ports = FreePorts.distinct(2);
        Configuration settings = ClusterSettings.cluster(ports[0], scratch.path(), slotsEach);
        settings.set(JobManagerOptions.PORT, ports[1]);
        settings.set(MetricOptions.REPORTERS_LIST, "prom");
        settings.setString(
                "metrics.reporter.prom.factory.class", PrometheusReporterFactory.class.getName());
        // A scope is service/class there too.
        settings.setString("metrics.reporter.prom.filterLabelValueCharacters", "false");
        ClusterSettings.sizeTaskManager(settings, slotsEach);
        write(settings, scratch.directory("conf").resolve("config.yaml"));
        StandaloneCluster cluster = new StandaloneCluster(ports[0], scratch, classPath);
        try {
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

    @Override
    public void killTaskManager(int index) {
        taskManagers.get(index).kill();
    }

    @Override
    public void close() {
        super.close();
        // They keep nothing that is wanted after this.
        taskManagers.forEach(ChildProcess::kill);
        if (jobManager != null) {
            jobManager.kill();
        }
        scratch.close();
    }

    private void startJobManager() {
        jobManager =
                ChildProcess.start(
                        StandaloneSessionClusterEntrypoint.class,
                        classPath,
                        jvm("512m"),
                        List.of(
                                "--configDir",
                                scratch.directory("conf").toString(),
                                "-D",
                                reporter()),
                        log("jobmanager"));
        awaitOrExplain("JobManager", jobManager, metrics()::answers);
    }

    private int launchTaskManager() {
        int index = taskManagers.size();
        taskManagers.add(
                ChildProcess.start(
                        TaskManagerRunner.class,
                        classPath,
                        jvm("512m"),
                        List.of(
                                "--configDir",
                                scratch.directory("conf").toString(),
                                "-D",
                                "taskmanager.resource-id=" + resourceId(index),
                                "-D",
                                reporter()),
                        log(resourceId(index))));
        return index;
    }

    /** The option that gives a process's reporter a port of its own. */
    private String reporter() {
        int port = FreePorts.one();
        addReporter(port);
        return "metrics.reporter.prom.port=" + port;
    }

    private void awaitTaskManager(int index) {
        awaitOrExplain(
                "TaskManager " + index,
                taskManagers.get(index),
                () -> metrics().hasTaskManager(resourceId(index)));
    }

    private static String resourceId(int index) {
        return "taskmanager-" + index;
    }

    private Path log(String name) {
        return scratch.directory("log").resolve(name + ".log");
    }

    private static List<String> jvm(String heap) {
        return List.of(
                "-Xmx" + heap,
                // Short lives: little compilation, few threads.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // As the configuration of every distribution has it.
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "-Dkipimo.log.level=INFO");
    }

    private static void awaitOrExplain(String name, ChildProcess process, BooleanSupplier ready) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!ready.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException(
                        name
                                + (process.isAlive() ? " is not ready" : " ended")
                                + "; it said:\n"
                                + process.output());
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private static void write(Configuration settings, Path file) {
        StringBuilder yaml = new StringBuilder();
        new TreeMap<>(settings.toMap())
                .forEach((key, value) -> yaml.append(key + ": '" + value + "'\n"));
        try {
            Files.writeString(file, yaml, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
