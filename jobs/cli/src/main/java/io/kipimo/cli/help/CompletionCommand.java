package io.kipimo.cli.help;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.OutputOption;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kipimo completion}. */
@Command(
        name = "completion",
        description =
                "Prints a script that completes commands and options in bash, and in zsh by its " + "bash emulation.",
        footerHeading = "%nExamples:%n",
        footer = {"  source <(kipimo completion)", "  kipimo completion > /etc/bash_completion.d/kipimo"})
public final class CompletionCommand implements Callable<Integer> {
    @Mixin
    private OutputOption output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        String script = AutoComplete.bash("kipimo", spec.root().commandLine());
        PrintWriter out = spec.commandLine().getOut();
        if (output.isDocument()) {
            output.print(out, Map.of("bash", script));
        } else {
            out.print(script);
        }
        return ExitCodes.FINE;
    }
}
