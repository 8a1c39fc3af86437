package io.kipimo.embedded.flink;

import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.ScratchDirectory;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/**
 * A cluster within this JVM: Flink's MiniCluster with the interface of {@link FlinkCluster}, including the REST port.
 */
final class InProcessCluster extends FlinkCluster {
    private final MiniCluster cluster;
    private final ScratchDirectory scratch;
    private final int size;
    /** Indexes of the TaskManagers that run, in the order of start. */
    private final Deque<Integer> running = new ArrayDeque<>();

    private int started;

    private InProcessCluster(int restPort, MiniCluster cluster, ScratchDirectory scratch, int taskManagers) {
        super(restPort);
        this.cluster = cluster;
        this.scratch = scratch;
        this.size = taskManagers;
        while (started < taskManagers) {
            running.add(started++);
        }
    }

    static InProcessCluster start(int taskManagers, int slotsEach) {
        ScratchDirectory scratch = ScratchDirectory.create("flink");
        int[] ports = FreePorts.distinct(2);
        Configuration settings = ClusterSettings.cluster(ports[0], scratch.path(), slotsEach);
        settings.setString(ClusterSettings.REPORTER_PORT, Integer.toString(ports[1]));
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
        InProcessCluster started = new InProcessCluster(ports[0], cluster, scratch, taskManagers);
        started.addReporter(ports[1]);
        return started;
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
        running.add(started);
        return started++;
    }

    @Override
    public void killOldestTaskManager() {
        killTaskManager(running.element());
    }

    @Override
    public void replaceTaskManagers() {
        while (running.size() < size) {
            int unused = startTaskManager();
        }
    }

    @Override
    public void killTaskManager(int index) {
        running.remove(index);
        await(cluster.terminateTaskManager(index));
    }

    @Override
    public void close() {
        super.close();
        await(cluster.closeAsync());
        scratch.close();
    }
}
