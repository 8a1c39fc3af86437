package io.kipimo.jobs.submission;

import io.kipimo.jobs.options.BoundedOption;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/**
 * The entry of the job jar; the first argument names the job. Where it is the program of its
 * process ({@code flink run}), it ends that with 2 and one line a problem on standard error. Where
 * it is a guest of the JobManager (the REST interface, application mode), ending the process would
 * end the cluster; there it throws what the caller is told.
 */
public final class SubmissionMain {
    /** The thread that a JVM begins with. */
    private static final long FIRST_THREAD = 1;

    private SubmissionMain() {}

    public static void main(String[] args) throws Exception {
        List<String> arguments = List.of(args);
        if (arguments.contains("--help")) {
            printHelp(arguments, System.out);
            return;
        }
        try {
            Submission.of(arguments).execute();
        } catch (SubmissionRefusedException | BrokerUnavailableException e) {
            if (Thread.currentThread().getId() != FIRST_THREAD) {
                throw new SubmissionRefusedException(e.getMessage().lines().toList());
            }
            e.getMessage().lines().forEach(System.err::println);
            System.exit(2);
        }
    }

    /** Options of the job that is named, else the names. */
    private static void printHelp(List<String> arguments, PrintStream out) {
        out.println("Usage: " + Submission.USAGE);
        out.println();
        Optional<KipimoJob> job = KipimoJob.named(arguments.get(0));
        if (job.isEmpty()) {
            out.println("JOB: " + KipimoJob.names() + "; JOB --help lists its options.");
            return;
        }
        for (BoundedOption<?> option : job.get().options().options()) {
            out.println(
                    "  -D"
                            + option.key()
                            + "="
                            + (option.option().hasDefaultValue()
                                    ? BoundedOption.printable(option.option().defaultValue())
                                    : ""));
            out.println("      " + option.description() + " Allowed: " + option.allowed());
        }
    }
}
