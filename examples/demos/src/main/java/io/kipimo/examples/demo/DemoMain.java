package io.kipimo.examples.demo;

import io.kipimo.harness.HarnessMain;
import picocli.CommandLine.Command;

/** Where the launcher enters for {@code kipimo demo}. */
@Command(
        name = "kipimo",
        mixinStandardHelpOptions = true,
        subcommands = DemoCommand.class,
        description = "Commands that start real parts on this machine.")
public final class DemoMain {
    private DemoMain() {}

    public static void main(String[] args) {
        // The children and the cluster have threads that would keep this process.
        System.exit(HarnessMain.commandLine(new DemoMain()).execute(args));
    }
}
