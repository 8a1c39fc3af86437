package io.kipimo.endtoend;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The quality job with its defaults, in a cluster of the test's own. */
final class QualityJobs {
    private QualityJobs() {}

    /**
     * Starts the job, with checkpoints twice a second so that rows can be read soon.
     *
     * @param more options, above those
     */
    static JobID start(FlinkCluster cluster, KafkaSettings kafka, int parallelism, Map<String, String> more)
            throws Exception {
        Configuration config = new Configuration();
        config.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), kafka.bootstrapServers());
        config.set(KafkaOptions.TOPIC_PREFIX.option(), kafka.topicPrefix());
        config.set(KafkaOptions.GROUP_ID.option(), kafka.topicPrefix() + "quality");
        kafka.properties().forEach((key, value) -> config.setString(KafkaOptions.PROPERTIES_PREFIX + key, value));
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(500));
        config.setString("parallelism.default", Integer.toString(parallelism));
        config.addAll(Configuration.fromMap(more));
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        QualityJob.define(env, QualityJob.OPTIONS.read(config));
        return env.executeAsync("quality").getJobID();
    }
}
