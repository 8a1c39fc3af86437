package io.kipimo.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** One execution of a command, with exit code and output. */
public record CommandRun(int exitCode, String out, String err) {
    private static final CommandLine USED = Main.commandLine();

    public static CommandRun of(String... args) {
        return of(Main.commandLine(), args);
    }

    /** As above, by a command line that was used before, whose options picocli resets. Making one takes long. */
    static synchronized CommandRun again(String... args) {
        return of(USED, args);
    }

    private static CommandRun of(CommandLine command, String... args) {
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
