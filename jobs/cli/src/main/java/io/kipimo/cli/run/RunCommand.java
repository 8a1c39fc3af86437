package io.kipimo.cli.run;

import io.kipimo.jobs.admission.AdmissionJob;
import io.kipimo.jobs.invalidation.InvalidationJob;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.jobs.rating.RatingJob;
import io.kipimo.jobs.replication.ReplicationJob;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.jobs.ttl.TtlJob;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kipimo run}. */
@Command(
        name = "run",
        description = {
            "Runs a job in this process, on a Flink of its own, until it is stopped: for a first try"
                    + " and for small sites. For all else submit the job's jar to a cluster.",
            "Where --json is given, nothing is printed but what the job itself logs."
        },
        footer = {
            "",
            "Examples:",
            "  kipimo run quality -Dkafka.bootstrap-servers=localhost:9092",
            "  kipimo run admission --options admission.properties -Dredis.host=localhost",
            "Options and their ranges: docs/options.md."
        })
public final class RunCommand implements Runnable {
    /** The jobs there are. */
    enum Job {
        QUALITY,
        ADMISSION,
        TAILS,
        REPLICATION,
        TTL,
        INVALIDATION,
        RATING
    }

    @Parameters(paramLabel = "JOB", description = "One of: ${COMPLETION-CANDIDATES}, in any case.")
    private Job job;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "An option of the job or of Flink; may be given many times.")
    private List<String> values = List.of();

    @Option(
            names = "--options",
            paramLabel = "FILE",
            description = "Options in the form of Java properties; -D overrides them.")
    private String file;

    @Option(names = "--json", description = "Accepted, as by every command.")
    private boolean json;

    @Override
    public void run() {
        List<String> arguments = new ArrayList<>();
        if (file != null) {
            arguments.addAll(List.of("--options", file));
        }
        values.forEach(value -> arguments.add("-D" + value));
        String[] args = arguments.toArray(String[]::new);
        switch (job) {
            case QUALITY -> QualityJob.main(args);
            case ADMISSION -> AdmissionJob.main(args);
            case TAILS -> TailsJob.main(args);
            case REPLICATION -> ReplicationJob.main(args);
            case TTL -> TtlJob.main(args);
            case INVALIDATION -> InvalidationJob.main(args);
            case RATING -> RatingJob.main(args);
        }
    }
}
