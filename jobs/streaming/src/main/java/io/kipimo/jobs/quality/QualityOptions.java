package io.kipimo.jobs.quality;

import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.jobs.options.AdviceOptions;
import io.kipimo.jobs.options.CommonOptions;
import io.kipimo.jobs.options.InvalidOptionsException;
import io.kipimo.jobs.options.JobOptions;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.options.OptionSet;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/** Options of the quality job. Metrics, windows and merge are in each service's policy, not here. */
public record QualityOptions(
        JobOptions common,
        JoinPath path,
        Duration backStop,
        BacklogSampling.Settings backlog,
        AdviceOptions.Advice advice)
        implements CommonOptions {
    public static final OptionSet SET =
            new OptionSet(List.of(KafkaOptions.all(), JoinOptions.all(), AdviceOptions.all()));

    /** @throws InvalidOptionsException with every problem, if there is any */
    public static QualityOptions of(Configuration config) throws InvalidOptionsException {
        OptionSet.Reader reader = SET.reader(config);
        QualityOptions options = new QualityOptions(
                JobOptions.read(reader, QualityJob.NAME),
                reader.get(JoinOptions.PATH),
                reader.get(JoinOptions.BACK_STOP),
                JoinOptions.backlog(reader),
                AdviceOptions.read(reader));
        reader.finish();
        return options;
    }
}
