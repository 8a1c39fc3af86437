package io.kipimo.harness.flink;

import io.kipimo.harness.process.FreePorts;
import io.kipimo.harness.process.ScratchDirectory;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/** Flink's MiniCluster behind the same interface, including its REST port. */
final class InProcessCluster extends FlinkCluster {
    private final MiniCluster cluster;
    private final ScratchDirectory scratch;
    private int taskManagers;

    private InProcessCluster(int restPort, MiniCluster cluster, ScratchDirectory scratch, int taskManagers) {
        super(restPort);
        this.cluster = cluster;
        this.scratch = scratch;
        this.taskManagers = taskManagers;
    }

    static InProcessCluster start(int taskManagers, int slotsEach) {
        ScratchDirectory scratch = ScratchDirectory.create("flink");
        int restPort = FreePorts.one();
        Configuration settings = ClusterSettings.cluster(restPort, scratch.path(), slotsEach);
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(settings)
                .setNumTaskManagers(taskManagers)
                .setNumSlotsPerTaskManager(slotsEach)
                .build());
        try {
            cluster.start();
        } catch (Exception e) {
            await(cluster.closeAsync());
            scratch.close();
            throw new IllegalStateException("Flink does not start", e);
        }
        return new InProcessCluster(restPort, cluster, scratch, taskManagers);
    }

    @Override
    public Path checkpointDirectory() {
        return scratch.directory("checkpoints");
    }

    @Override
    public int startTaskManager() {
        try {
            cluster.startTaskManager();
        } catch (Exception e) {
            throw new IllegalStateException("no TaskManager starts", e);
        }
        return taskManagers++;
    }

    @Override
    public void killTaskManager(int index) {
        await(cluster.terminateTaskManager(index));
    }

    @Override
    public void close() {
        super.close();
        await(cluster.closeAsync());
        scratch.close();
    }
}
