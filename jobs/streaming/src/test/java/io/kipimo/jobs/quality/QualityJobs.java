package io.kipimo.jobs.quality;

import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The quality job without a broker to ask for policies. */
public final class QualityJobs {
    private QualityJobs() {}

    public static void define(StreamExecutionEnvironment env, QualityOptions options) {
        QualityJob.define(env, options, Map.of());
    }
}
