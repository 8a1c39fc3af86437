package io.kipimo.jobs.replication;

import io.kipimo.jobs.JobMain;
import io.kipimo.jobs.options.InvalidOptionsException;
import io.kipimo.jobs.options.JobOptions;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.options.OptionSet;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/** Options of the replication job. How it searches is in each service's policy, not here. */
public record ReplicationOptions(JobOptions common) implements JobMain.CommonOptions {
    public static final OptionSet SET = new OptionSet(List.of(KafkaOptions.all()));

    /**
     * @throws InvalidOptionsException with every problem, if there is any
     */
    public static ReplicationOptions of(Configuration config) throws InvalidOptionsException {
        OptionSet.Reader reader = SET.reader(config);
        ReplicationOptions options =
                new ReplicationOptions(JobOptions.read(reader, ReplicationJob.NAME));
        reader.finish();
        return options;
    }
}
