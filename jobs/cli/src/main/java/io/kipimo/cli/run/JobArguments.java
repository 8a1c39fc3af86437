package io.kipimo.cli.run;

import io.kipimo.jobs.submission.Submission;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Arguments of the commands {@code run} and {@code submit}: the job and its options. */
final class JobArguments {
    @Parameters(
            paramLabel = "JOB",
            description = "quality, admission, tails, replication, rating, ttl or invalidation.")
    private String job;

    @Option(
            names = "--topic-prefix",
            paramLabel = "PREFIX",
            description = "Prefix of all topic names; short for -Dkafka.topic-prefix=PREFIX.")
    private String topicPrefix;

    @Option(names = "-D", paramLabel = "KEY=VALUE", description = "An option of the job or of Flink; repeatable.")
    private List<String> values = List.of();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Options as Java properties; repeatable, later ones override earlier ones, "
                    + "and -D overrides both.")
    private List<Path> files = List.of();

    /** @throws io.kipimo.jobs.options.SubmissionRefusedException with every problem */
    Submission submission() {
        List<String> arguments = new ArrayList<>();
        arguments.add(job);
        files.forEach(file -> arguments.addAll(List.of("--config", file.toString())));
        if (topicPrefix != null) {
            arguments.add("-Dkafka.topic-prefix=" + topicPrefix);
        }
        values.forEach(value -> arguments.add("-D" + value));
        return Submission.of(arguments);
    }
}
