package io.kipimo.bench;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Where the launcher enters for {@code kipimo bench}. */
@Command(
        name = "kipimo",
        mixinStandardHelpOptions = true,
        subcommands = BenchCommand.class,
        description = "Measures Kipimo on this machine.")
public final class BenchMain {
    private static final Logger LOG = LoggerFactory.getLogger(BenchMain.class);

    private BenchMain() {}

    public static void main(String[] args) {
        // The children and the cluster have threads that would keep this process.
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new BenchMain());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setParameterExceptionHandler(
                (e, arguments) -> {
                    e.getCommandLine().getErr().println("kipimo: " + e.getMessage());
                    return 2;
                });
        commandLine.setExecutionExceptionHandler(
                (e, failed, parsed) -> {
                    failed.getErr().println("kipimo: " + e.getMessage());
                    LOG.debug("failed", e);
                    return 1;
                });
        return commandLine;
    }
}
