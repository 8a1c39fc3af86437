package io.kipimo.jobs.submission;

import io.kipimo.jobs.flink.InstalledFlink;
import io.kipimo.jobs.options.BoundedOption;
import io.kipimo.jobs.options.SubmissionRefusedException;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/**
 * Main class of the job jar. The first argument names the job. As the main program of its process ({@code flink run}),
 * it prints one line for each problem on standard error and exits with 2. Inside a JobManager (the REST interface,
 * application mode), an exit would end the cluster, so it throws an exception, which Flink returns to the caller.
 */
public final class SubmissionMain {
    /** Id of a JVM's first thread, which runs the main program. */
    private static final long FIRST_THREAD = 1;

    private SubmissionMain() {}

    public static void main(String[] args) throws Exception {
        List<String> arguments = List.of(args);
        if (arguments.contains("--help")) {
            printHelp(arguments, System.out);
            return;
        }
        try {
            Surroundings.checkFlink(InstalledFlink.version());
            Submission.of(arguments).execute();
        } catch (SubmissionRefusedException | BrokerUnavailableException e) {
            if (Thread.currentThread().getId() != FIRST_THREAD) {
                throw new SubmissionRefusedException(e.getMessage().lines().toList());
            }
            e.getMessage().lines().forEach(System.err::println);
            System.exit(2);
        }
    }

    /** Prints the options of the named job, or the names of all jobs if no job is named. */
    private static void printHelp(List<String> arguments, PrintStream out) {
        out.println("Usage: " + Submission.USAGE);
        out.println();
        Optional<KipimoJob> job = KipimoJob.named(arguments.get(0));
        if (job.isEmpty()) {
            out.println("JOB: " + KipimoJob.names() + "; JOB --help lists its options.");
            return;
        }
        for (BoundedOption<?> option : job.get().options().options()) {
            out.println("  -D"
                    + option.key()
                    + "="
                    + (option.option().hasDefaultValue()
                            ? BoundedOption.printable(option.option().defaultValue())
                            : ""));
            out.println("      " + option.description() + " Allowed: " + option.allowed());
        }
    }
}
