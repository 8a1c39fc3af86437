package io.kipimo.jobs.quality;

import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.kafka.KafkaPartitions;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The quality job without a broker to ask for policies. */
public final class QualityJobs {
    private QualityJobs() {}

    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<JoinOptions.Join> options) {
        QualityJob.define(env, options, Map.of(), new JoinPaths.Feed(new KafkaPartitions(4), true, "the test says so"));
    }

    /** The job with the join in the task of the source. */
    public static void defineLocal(StreamExecutionEnvironment env, OptionSet.Valid<JoinOptions.Join> options) {
        QualityJob.define(
                env, options, Map.of(), new JoinPaths.Feed(new KafkaPartitions(4), false, "the test says so"));
    }
}
