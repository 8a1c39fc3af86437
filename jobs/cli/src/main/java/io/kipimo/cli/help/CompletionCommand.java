package io.kipimo.cli.help;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.PrintingCommand;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code kipimo completion}: prints a script that completes commands in the shell. */
@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in bash, and in zsh by its bash emulation.",
        footer = {"  source <(kipimo completion)", "  kipimo completion > /etc/bash_completion.d/kipimo"})
public final class CompletionCommand extends PrintingCommand {
    @Override
    public Integer call() {
        String script = AutoComplete.bash("kipimo", spec.root().commandLine());
        output.print(() -> Map.of("bash", script), out -> out.print(script));
        return ExitCodes.FINE;
    }
}
