package io.kipimo.jobs.tails;

import io.kipimo.jobs.options.CommonOptions;
import io.kipimo.jobs.options.InvalidOptionsException;
import io.kipimo.jobs.options.JobOptions;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.TailWindowOptions;
import io.kipimo.operators.tails.TailsSettings;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Options of the tails job. */
public record TailsOptions(JobOptions common, TailsSettings tails) implements CommonOptions {
    public static final OptionSet SET = new OptionSet(List.of(KafkaOptions.all(), TailWindowOptions.all()));

    /** @throws InvalidOptionsException with every problem, if there is any */
    public static TailsOptions of(Configuration config) throws InvalidOptionsException {
        OptionSet.Reader reader = SET.reader(config);
        JobOptions common = JobOptions.read(reader, TailsJob.NAME);
        Optional<TailsSettings> tails = TailWindowOptions.read(reader);
        reader.finish();
        return new TailsOptions(common, tails.orElseThrow());
    }
}
