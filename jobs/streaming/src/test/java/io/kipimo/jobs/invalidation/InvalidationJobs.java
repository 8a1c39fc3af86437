package io.kipimo.jobs.invalidation;

import io.kipimo.jobs.options.MatchingOptions;
import io.kipimo.jobs.options.OptionSet;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The invalidation job without a broker to ask for partitions. */
public final class InvalidationJobs {
    private InvalidationJobs() {}

    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<MatchingOptions.Matching> options) {
        InvalidationJob.define(env, options, 4);
    }
}
