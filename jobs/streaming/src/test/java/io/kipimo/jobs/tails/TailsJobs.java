package io.kipimo.jobs.tails;

import io.kipimo.jobs.options.OptionSet;
import io.kipimo.operators.tails.TailsSettings;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The tails job without a broker to ask for policies. */
public final class TailsJobs {
    private TailsJobs() {}

    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<TailsSettings> options) {
        TailsJob.define(env, options, Map.of());
    }
}
