package io.kipimo.jobs.invalidation;

import io.kipimo.jobs.options.CommonOptions;
import io.kipimo.jobs.options.InvalidOptionsException;
import io.kipimo.jobs.options.JobOptions;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.options.MatchingOptions;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.RedisOptions;
import io.kipimo.redis.RedisSettings;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/**
 * Options of the invalidation job.
 *
 * @param redis where stale keys are marked; empty: nowhere
 */
public record InvalidationOptions(JobOptions common, Optional<RedisSettings> redis, MatchingOptions.Matching matching)
        implements CommonOptions {
    public static final OptionSet SET =
            new OptionSet(List.of(KafkaOptions.all(), RedisOptions.all(), MatchingOptions.all()));

    /** @throws InvalidOptionsException with every problem, if there is any */
    public static InvalidationOptions of(Configuration config) throws InvalidOptionsException {
        OptionSet.Reader reader = SET.reader(config);
        JobOptions common = JobOptions.read(reader, InvalidationJob.NAME);
        Optional<RedisSettings> redis = RedisOptions.read(reader);
        Optional<MatchingOptions.Matching> matching = MatchingOptions.read(reader);
        reader.finish();
        return new InvalidationOptions(common, redis, matching.orElseThrow());
    }
}
