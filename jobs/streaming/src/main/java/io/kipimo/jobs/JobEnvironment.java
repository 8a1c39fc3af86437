package io.kipimo.jobs;

import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;

/** What every job sets of Flink's own options, unless the user did. */
public final class JobEnvironment {
    /** Fixed for ever: savepoints of another value do not restore. */
    public static final int MAXIMUM_PARALLELISM = 128;

    private JobEnvironment() {}

    /** {@code user} over Kipimo's defaults; what must not vary is set in any case. */
    public static Configuration withDefaults(Configuration user) {
        Configuration config = new Configuration();
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(10));
        config.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 3);
        config.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        config.set(CheckpointingOptions.ENABLE_UNALIGNED, true);
        config.set(CheckpointingOptions.ALIGNED_CHECKPOINT_TIMEOUT, Duration.ofSeconds(10));
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        config.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
                Duration.ofMillis(500));
        config.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
                Duration.ofSeconds(30));
        // Records are immutable and state objects never leave their function.
        config.set(PipelineOptions.OBJECT_REUSE, true);
        // Under load buffers are full before; else a record would wait 100 ms at every shuffle.
        config.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ofMillis(5));
        config.addAll(user);
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        config.set(PipelineOptions.GENERIC_TYPES, false);
        config.set(PipelineOptions.MAX_PARALLELISM, MAXIMUM_PARALLELISM);
        return config;
    }
}
