package io.kipimo.jobs.invalidation;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The invalidation job without a broker to ask for partitions. */
public final class InvalidationJobs {
    private InvalidationJobs() {}

    public static void define(StreamExecutionEnvironment env, InvalidationOptions options) {
        InvalidationJob.define(env, options, 4);
    }
}
