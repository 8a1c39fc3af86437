package io.kipimo.embedded.flink;

import static io.kipimo.testing.Patience.PATIENCE;

import io.kipimo.embedded.process.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.client.cli.CliFrontend;
import org.apache.flink.configuration.ConfigConstants;

/** Flink's command line, in a JVM of its own. */
public final class FlinkClient {

    private FlinkClient() {}

    /**
     * Runs a command to its end.
     *
     * @param configuration directory with the client's {@code config.yaml}
     * @throws IllegalStateException with its output, if it fails
     */
    public static void run(StandaloneCluster cluster, Path configuration, List<String> arguments) {
        ChildProcess client = ChildProcess.start(
                CliFrontend.class.getName(),
                cluster.classPath,
                StandaloneCluster.jvm(TaskManagerTuning.SHORT_LIVED_JVM),
                arguments,
                Map.of(ConfigConstants.ENV_FLINK_CONF_DIR, configuration.toString()),
                cluster.log("client"));
        try {
            if (client.exitCode(PATIENCE) != 0) {
                throw new IllegalStateException("flink " + arguments + ": " + client.output());
            }
        } finally {
            client.kill();
        }
    }
}
