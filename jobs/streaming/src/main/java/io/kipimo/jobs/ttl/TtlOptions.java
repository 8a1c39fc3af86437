package io.kipimo.jobs.ttl;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.jobs.options.CommonOptions;
import io.kipimo.jobs.options.InvalidOptionsException;
import io.kipimo.jobs.options.JobOptions;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.RedisOptions;
import io.kipimo.jobs.options.TtlEstimateOptions;
import io.kipimo.operators.ttl.TtlFlowSettings;
import io.kipimo.redis.RedisSettings;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/**
 * Options of the ttl job.
 *
 * @param redis receives times to live and filters; empty: none
 */
public record TtlOptions(JobOptions common, TtlFlowSettings ttls, FilterShape filter, Optional<RedisSettings> redis)
        implements CommonOptions {
    public static final OptionSet SET =
            new OptionSet(List.of(KafkaOptions.all(), TtlEstimateOptions.all(), RedisOptions.all()));

    /** @throws InvalidOptionsException with every problem, if there is any */
    public static TtlOptions of(Configuration config) throws InvalidOptionsException {
        OptionSet.Reader reader = SET.reader(config);
        JobOptions common = JobOptions.read(reader, TtlJob.NAME);
        Optional<TtlFlowSettings> ttls = TtlEstimateOptions.read(reader);
        Optional<FilterShape> filter = TtlEstimateOptions.filter(reader);
        Optional<RedisSettings> redis = RedisOptions.read(reader);
        reader.finish();
        return new TtlOptions(common, ttls.orElseThrow(), filter.orElseThrow(), redis);
    }
}
