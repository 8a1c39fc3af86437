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
        CommandLine commandLine = new CommandLine(new HarnessMain());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setParameterExceptionHandler(
                (e, arguments) -> {
                    System.err.println("kipimo: " + e.getMessage());
                    return 2;
                });
        commandLine.setExecutionExceptionHandler(
                (e, failed, parsed) -> {
                    failed.getErr().println("kipimo: " + e.getMessage());
                    LOG.debug("failed", e);
                    return 1;
                });
        // The children and the cluster have threads that would keep this process.
        System.exit(commandLine.execute(args));
    }
}
