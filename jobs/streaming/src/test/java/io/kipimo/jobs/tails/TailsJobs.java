package io.kipimo.jobs.tails;

import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The tails job without a broker to ask for policies. */
public final class TailsJobs {
    private TailsJobs() {}

    public static void define(StreamExecutionEnvironment env, TailsOptions options) {
        TailsJob.define(env, options, Map.of());
    }
}
