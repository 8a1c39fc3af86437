package io.kipimo.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** One execution of a command, with exit code and output. */
public record CommandRun(int exitCode, String out, String err) {
    public static CommandRun of(String... args) {
        CommandLine command = Main.commandLine(List.of(args), problem -> {});
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        int exitCode = command.execute(args);
        command.getOut().flush();
        command.getErr().flush();
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
