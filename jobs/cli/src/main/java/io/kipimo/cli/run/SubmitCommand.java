package io.kipimo.cli.run;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.submission.Submission;
import io.kipimo.schemas.document.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo submit}: submits a job to a Flink cluster. */
@Command(
        name = "submit",
        description = {
            "Submits a job to a Flink cluster through its REST interface, and waits until it "
                    + "runs. Problems of the job's options are reported before anything is sent.",
            "Files of --config are read here; files that options name, such as "
                    + "redis.password-file, are read on the cluster.",
            "Exits with 1 if the job fails before all its tasks run."
        },
        footer = {
            "",
            "Examples:",
            "  kipimo submit quality --rest http://localhost:8081 -Dkafka.bootstrap-servers=broker:9092",
            "  kipimo submit admission --rest http://flink:8081 --config admission.properties"
                    + " --parallelism 2 --savepoint s3://kipimo/savepoint-1a2b3c",
            "Options and their ranges: docs/options.md."
        })
public final class SubmitCommand extends PrintingCommand {
    private static final long POLL_MILLIS = 250;

    @Mixin
    private JobArguments arguments;

    @Option(
            names = "--rest",
            required = true,
            paramLabel = "URL",
            description = "REST address of Flink's JobManager, such as http://localhost:8081.")
    private URI rest;

    @Option(
            names = "--savepoint",
            paramLabel = "PATH",
            description = "Savepoint or retained checkpoint to restore, a path on the cluster.")
    private String savepoint;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            description = "Parallel subtasks, 1..128; default: the cluster's.")
    private Integer parallelism;

    @Option(
            names = "--jar",
            paramLabel = "FILE",
            defaultValue = "${env:KIPIMO_JOB_JAR}",
            description = "The job jar; default: KIPIMO_JOB_JAR, else the one that was built here.")
    private Path jar;

    @Option(
            names = "--wait",
            paramLabel = "LENGTH",
            defaultValue = "2m",
            description = "Longest time until all its tasks run: 30s, 2m. A job that is not ready then"
                    + " stays in the cluster. Default: ${DEFAULT-VALUE}")
    private String wait;

    @Override
    public Integer call() throws InterruptedException {
        Duration patience = TimeSpan.parse("--wait", wait);
        Submission submission = checked();
        FlinkRest flink = FlinkRest.connect(rest);
        String job = flink.run(JobJar.find(jar), withoutWaiting(submission.arguments()), savepoint, parallelism);
        String state = awaitStart(flink, job, patience);
        boolean runs = state.equals("RUNNING") || state.equals("FINISHED");
        String name = submission.job().flinkName();
        output.print(() -> new JsonObject().with("job", name).with("id", job).with("state", state), out -> {
            if (runs) {
                out.println(name + " runs as " + job);
            }
        });
        if (!runs) {
            output.err().println("kipimo: %s (%s) is %s: %s".formatted(name, job, state, flink.failure(job)));
        }
        return runs ? ExitCodes.FINE : ExitCodes.NO;
    }

    private Submission checked() {
        List<String> problems = new ArrayList<>();
        if (parallelism != null && (parallelism < 1 || parallelism > JobEnvironment.MAXIMUM_PARALLELISM)) {
            problems.add("--parallelism is " + parallelism + "; allowed: 1.." + JobEnvironment.MAXIMUM_PARALLELISM);
        }
        if (savepoint != null && savepoint.isBlank()) {
            problems.add("--savepoint is empty; allowed: the path of a savepoint");
        }
        if (!("http".equals(rest.getScheme()) || "https".equals(rest.getScheme())) || rest.getHost() == null) {
            problems.add("--rest is '" + rest + "'; allowed: a URL such as http://localhost:8081");
        }
        Submission submission = null;
        try {
            submission = arguments.submission();
        } catch (IllegalArgumentException e) {
            problems.addAll(e.getMessage().lines().toList());
        }
        if (!problems.isEmpty()) {
            throw new InputException(problems);
        }
        return submission;
    }

    /**
     * Makes the job fail if no broker answers, so that the user gets the error and the request does not block the
     * cluster.
     */
    private static List<String> withoutWaiting(List<String> jobArguments) {
        List<String> all = new ArrayList<>(jobArguments);
        all.removeIf(argument -> argument.startsWith("-Dstartup.broker-away="));
        all.add("-Dstartup.broker-away=EXIT");
        return all;
    }

    /** Waits until the job has started, and returns its state, or the last state seen within the patience. */
    private static String awaitStart(FlinkRest flink, String job, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            String state = flink.state(job);
            if (!state.equals("STARTING") || System.nanoTime() > end) {
                return state;
            }
            Thread.sleep(POLL_MILLIS);
        }
    }
}
