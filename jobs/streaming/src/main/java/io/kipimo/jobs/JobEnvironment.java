package io.kipimo.jobs;

import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.RestartStrategyOptions;

/** Sets Flink options for every job, unless the cluster or the user sets them. */
public final class JobEnvironment {
    /** Maximum parallelism of all jobs. It must never change, because savepoints with another value do not restore. */
    public static final int MAXIMUM_PARALLELISM = 128;

    private static final String RPC_TICK_PROPERTY = "pekko.scheduler.tick-duration";

    /** Default of the greatest delay at the output of sources. */
    public static final Duration BUFFER_TIMEOUT = Duration.ofMillis(5);

    private JobEnvironment() {}

    /**
     * Lowers the tick rate of Flink's RPC scheduler in this JVM from 100 to 10 ticks a second. The scheduler's timers
     * guard time-outs of seconds, and two of them tick for as long as the JVM runs. It has no effect on a Flink that
     * already runs, or runs in another process.
     */
    public static void slowRpcTicks() {
        if (System.getProperty(RPC_TICK_PROPERTY) == null) {
            System.setProperty(RPC_TICK_PROPERTY, "100ms");
        }
    }

    /** Adds defaults, with {@link #BUFFER_TIMEOUT} as the delay at the output of sources. */
    public static Configuration withDefaults(ReadableConfig given) {
        return withDefaults(given, BUFFER_TIMEOUT);
    }

    /**
     * Returns the given options, with Kipimo's defaults for options that are not set under any name that Flink knows.
     * Options that must not vary are always set.
     *
     * @param given the job's own options over the cluster's
     * @param bufferTimeout greatest delay at the output of sources; under load buffers fill earlier. Flink's default is
     *     100 ms
     */
    public static Configuration withDefaults(ReadableConfig given, Duration bufferTimeout) {
        Configuration config = Configuration.fromMap(given.toMap());
        setDefault(config, CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(10));
        setDefault(config, CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 3);
        setDefault(
                config,
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        setDefault(config, CheckpointingOptions.ENABLE_UNALIGNED, true);
        setDefault(config, CheckpointingOptions.ALIGNED_CHECKPOINT_TIMEOUT, Duration.ofSeconds(10));
        setDefault(config, RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        setDefault(
                config,
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
                Duration.ofMillis(500));
        setDefault(
                config, RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF, Duration.ofSeconds(30));
        // Flink reads state that is not compressed by one system call for each int or byte.
        setDefault(config, ExecutionOptions.SNAPSHOT_COMPRESSION, true);
        // Records are immutable and state objects never leave their function.
        setDefault(config, PipelineOptions.OBJECT_REUSE, true);
        setDefault(config, ExecutionOptions.BUFFER_TIMEOUT, bufferTimeout);
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        config.set(PipelineOptions.GENERIC_TYPES, false);
        config.set(PipelineOptions.MAX_PARALLELISM, MAXIMUM_PARALLELISM);
        return config;
    }

    private static <T> void setDefault(Configuration config, ConfigOption<T> option, T value) {
        if (!config.contains(option)) {
            config.set(option, value);
        }
    }
}
