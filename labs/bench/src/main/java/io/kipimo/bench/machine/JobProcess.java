package io.kipimo.bench.machine;

import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.submission.SubmissionMain;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.StateBackendOptions;

/** A job that runs in a JVM of its own until it is closed. */
public final class JobProcess implements AutoCloseable {
    private final ScratchDirectory scratch = ScratchDirectory.create("bench-job");
    private final String name;
    private final ChildProcess process;

    /** Starts a job of Kipimo through the entry point of the job jar. */
    public JobProcess(String job, KafkaSettings kafka, String backend, Map<String, String> settings) {
        this(SubmissionMain.class, job, kafka, backend, settings);
    }

    /**
     * Starts a job.
     *
     * @param main class to run, with the job's name and then options as arguments
     * @param job job name for that class
     * @param backend name of Flink's state backend
     * @param settings Flink settings in addition to Kipimo's defaults
     */
    public JobProcess(Class<?> main, String job, KafkaSettings kafka, String backend, Map<String, String> settings) {
        name = job;
        Map<String, String> all = new TreeMap<>(settings);
        all.put(KafkaOptions.BOOTSTRAP_SERVERS.key(), kafka.bootstrapServers());
        all.put(KafkaOptions.TOPIC_PREFIX.key(), kafka.topicPrefix());
        all.put(StateBackendOptions.STATE_BACKEND.key(), backend);
        all.put(CoreOptions.DEFAULT_PARALLELISM.key(), Integer.toString(LocalFlink.SLOTS));
        all.put(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY.key(),
                scratch.directory("checkpoints").toUri().toString());
        List<String> arguments = new ArrayList<>(List.of(job));
        all.forEach((key, value) -> arguments.add("-D" + key + "=" + value));
        process = ChildProcess.start(
                main,
                List.of(
                        "-Xmx2g",
                        "-XX:+UseG1GC",
                        "--add-opens=java.base/java.util=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + scratch.directory("tmp")),
                arguments,
                scratch.path().resolve("log"));
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    /**
     * Checks that the job runs.
     *
     * @throws IllegalStateException if it has ended; the message contains its output
     */
    public void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("job " + name + " ended: " + process.output());
        }
    }

    @Override
    public void close() {
        process.kill();
        scratch.close();
    }
}
