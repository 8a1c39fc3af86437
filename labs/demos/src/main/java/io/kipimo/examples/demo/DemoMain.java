package io.kipimo.examples.demo;

import io.kipimo.examples.local.LocalCommand;
import io.kipimo.harness.HarnessMain;
import picocli.CommandLine.Command;

/** Main class of the launcher for {@code kipimo demo} and {@code kipimo local}. */
@Command(
        name = "kipimo",
        mixinStandardHelpOptions = true,
        subcommands = {DemoCommand.class, LocalCommand.class},
        description = "Commands that start real parts on this machine.")
public final class DemoMain {
    private DemoMain() {}

    public static void main(String[] args) {
        // Threads of the cluster and of child processes would keep this process alive.
        System.exit(HarnessMain.commandLine(new DemoMain()).execute(args));
    }
}
