package io.kipimo.cli.run;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.PrintingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kipimo run}: runs a job in this process. */
@Command(
        name = "run",
        description = {
            "Runs a job in this process, with an embedded Flink, until it is stopped: for a first "
                    + "try and for small sites. Otherwise submit it to a cluster.",
            "With --output json or yaml, only the job's own log is printed."
        },
        footer = {
            "",
            "Examples:",
            "  kipimo run quality -Dkafka.bootstrap-servers=localhost:9092",
            "  kipimo run admission --config admission.properties -Dredis.host=localhost",
            "Options and their ranges: docs/options.md."
        })
public final class RunCommand extends PrintingCommand {
    @Mixin
    private JobArguments arguments;

    @Override
    public Integer call() throws Exception {
        arguments.submission().execute();
        return ExitCodes.FINE;
    }
}
