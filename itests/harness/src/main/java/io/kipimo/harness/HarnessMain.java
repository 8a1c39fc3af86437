package io.kipimo.harness;

import io.kipimo.harness.soak.SoakCommand;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of {@code kipimo soak}. */
@Command(
        name = "kipimo",
        mixinStandardHelpOptions = true,
        subcommands = SoakCommand.class,
        description = "Commands that start real processes on this machine.")
public final class HarnessMain {
    private static final Logger LOG = LoggerFactory.getLogger(HarnessMain.class);

    private HarnessMain() {}

    public static void main(String[] args) {
        // Child processes and the cluster leave threads that would keep this process alive.
        System.exit(commandLine(new HarnessMain()).execute(args));
    }

    /** Prints a command's failure as one or two lines on stderr. Exit code 2: bad usage; 1: any other failure. */
    public static CommandLine commandLine(Object command) {
        CommandLine commandLine = new CommandLine(command);
        commandLine.setUsageHelpWidth(100);
        commandLine.setUsageHelpAutoWidth(true);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setParameterExceptionHandler((e, arguments) -> {
            e.getCommandLine().getErr().println("kipimo: " + e.getMessage());
            return 2;
        });
        commandLine.setExecutionExceptionHandler((e, failed, parsed) -> {
            report(e, failed.getErr());
            LOG.debug("failed", e);
            return 1;
        });
        return commandLine;
    }

    /** The failure, and on a second line its causes if their messages differ. */
    private static void report(Throwable failure, PrintWriter err) {
        List<String> said = new ArrayList<>();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            String kind = t.getClass().getSimpleName();
            String why = firstLine(t).orElse(kind);
            if (said.stream().noneMatch(line -> line.contains(why))) {
                said.add(t == failure || why.equals(kind) ? why : kind + ": " + why);
            }
        }
        err.println("kipimo: " + said.get(0));
        if (said.size() > 1) {
            err.println("kipimo: by " + String.join(", by ", said.subList(1, said.size())));
        }
    }

    private static Optional<String> firstLine(Throwable t) {
        return Optional.ofNullable(t.getMessage())
                .flatMap(message -> message.lines().findFirst());
    }
}
