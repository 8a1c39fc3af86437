package io.kipimo.bench;

import io.kipimo.harness.HarnessMain;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Where the launcher enters for {@code kipimo bench}. */
@Command(
        name = "kipimo",
        mixinStandardHelpOptions = true,
        subcommands = BenchCommand.class,
        description = "Measures Kipimo on this machine.")
public final class BenchMain {
    private BenchMain() {}

    public static void main(String[] args) {
        // The children and the cluster have threads that would keep this process.
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return HarnessMain.commandLine(new BenchMain());
    }
}
