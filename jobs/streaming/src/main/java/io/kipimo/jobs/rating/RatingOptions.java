package io.kipimo.jobs.rating;

import io.kipimo.jobs.options.CommonOptions;
import io.kipimo.jobs.options.InvalidOptionsException;
import io.kipimo.jobs.options.JobOptions;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.options.OptionSet;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/** Options of the rating job. How it rates is in each request, not here. */
public record RatingOptions(JobOptions common) implements CommonOptions {
    public static final OptionSet SET = new OptionSet(List.of(KafkaOptions.all()));

    /**
     * @throws InvalidOptionsException with every problem, if there is any
     */
    public static RatingOptions of(Configuration config) throws InvalidOptionsException {
        OptionSet.Reader reader = SET.reader(config);
        RatingOptions options = new RatingOptions(JobOptions.read(reader, RatingJob.NAME));
        reader.finish();
        return options;
    }
}
