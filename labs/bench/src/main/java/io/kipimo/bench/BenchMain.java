package io.kipimo.bench;

import io.kipimo.harness.HarnessMain;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of {@code kipimo bench}. */
@Command(
        name = "kipimo",
        mixinStandardHelpOptions = true,
        subcommands = BenchCommand.class,
        description = "Measures Kipimo on this machine.")
public final class BenchMain {
    private BenchMain() {}

    public static void main(String[] args) {
        // Child processes and the cluster leave threads that would keep this process alive.
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return HarnessMain.commandLine(new BenchMain());
    }
}
