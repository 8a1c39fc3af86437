package io.kipimo.cli.run;

import io.kipimo.cli.terminal.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo run}. */
@Command(
        name = "run",
        description = {
            "Runs a job in this process, on a Flink of its own, until it is stopped: for a first try"
                    + " and for small sites. For all else submit it to a cluster.",
            "Where --json is given, nothing is printed but what the job itself logs."
        },
        footer = {
            "",
            "Examples:",
            "  kipimo run quality -Dkafka.bootstrap-servers=localhost:9092",
            "  kipimo run admission --config admission.properties -Dredis.host=localhost",
            "Options and their ranges: docs/options.md."
        })
public final class RunCommand implements Callable<Integer> {
    @Mixin private JobArguments arguments;

    @Option(names = "--json", description = "Accepted, as by every command.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        arguments.submission().execute();
        return ExitCodes.FINE;
    }
}
