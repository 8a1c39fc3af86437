package io.kipimo.jobs.replication;

import io.kipimo.jobs.options.CommonOptions;
import io.kipimo.jobs.options.InvalidOptionsException;
import io.kipimo.jobs.options.JobOptions;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.RedisOptions;
import io.kipimo.redis.RedisSettings;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/**
 * Options of the replication job. Search settings are in each service's policy, not here.
 *
 * @param redis also receives factors, for clients that poll; empty: none
 */
public record ReplicationOptions(JobOptions common, Optional<RedisSettings> redis) implements CommonOptions {
    public static final OptionSet SET = new OptionSet(List.of(KafkaOptions.all(), RedisOptions.all()));

    /** @throws InvalidOptionsException with every problem, if there is any */
    public static ReplicationOptions of(Configuration config) throws InvalidOptionsException {
        OptionSet.Reader reader = SET.reader(config);
        ReplicationOptions options =
                new ReplicationOptions(JobOptions.read(reader, ReplicationJob.NAME), RedisOptions.read(reader));
        reader.finish();
        return options;
    }
}
