package io.kipimo.harness;

import io.kipimo.harness.demo.DemoCommand;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands that start real parts on this machine; the launcher hands them over. */
@Command(
        name = "kipimo",
        mixinStandardHelpOptions = true,
        subcommands = DemoCommand.class,
        description = "Commands that start real parts on this machine.")
public final class HarnessMain {
    private static final Logger LOG = LoggerFactory.getLogger(HarnessMain.class);

    private HarnessMain() {}

    public static void main(String[] args) {
        // The children and the cluster have threads that would keep this process.
        System.exit(commandLine(new HarnessMain()).execute(args));
    }

    /** A command whose failures are one line on stderr: 2 for bad usage, 1 for the rest. */
    public static CommandLine commandLine(Object command) {
        CommandLine commandLine = new CommandLine(command);
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
