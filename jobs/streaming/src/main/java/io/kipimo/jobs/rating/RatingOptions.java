package io.kipimo.jobs.rating;

import io.kipimo.core.rating.DriftSettings;
import io.kipimo.jobs.options.CommonOptions;
import io.kipimo.jobs.options.InvalidOptionsException;
import io.kipimo.jobs.options.JobOptions;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.StaleRatingOptions;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/**
 * Options of the rating job. The settings of a rating are in its request, not here.
 *
 * @param drift bounds beyond which a rating is stale
 */
public record RatingOptions(JobOptions common, DriftSettings drift) implements CommonOptions {
    public static final OptionSet SET = new OptionSet(List.of(KafkaOptions.all(), StaleRatingOptions.all()));

    /** @throws InvalidOptionsException with every problem, if there is any */
    public static RatingOptions of(Configuration config) throws InvalidOptionsException {
        OptionSet.Reader reader = SET.reader(config);
        JobOptions common = JobOptions.read(reader, RatingJob.NAME);
        DriftSettings drift = StaleRatingOptions.read(reader);
        reader.finish();
        return new RatingOptions(common, drift);
    }
}
