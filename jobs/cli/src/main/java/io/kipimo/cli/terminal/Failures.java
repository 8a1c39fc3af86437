package io.kipimo.cli.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Prints the failure of a command that starts servers on this machine. Its exit code is 1, because the machine or
 * Kipimo is at fault and not the input. {@link Errors} handles bad input as for other commands.
 */
public final class Failures implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
        if (e instanceof InputException) {
            return new Errors().handleExecutionException(e, command, result);
        }
        report(e, command.getErr());
        GlobalOptions.of(command.getCommandSpec()).printCauses(e, command.getErr());
        return ExitCodes.NO;
    }

    /**
     * Prints the failure with all lines of its message and, on a second line, those causes whose messages add
     * something.
     */
    private static void report(Throwable failure, PrintWriter err) {
        List<String> said = new ArrayList<>();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (isWrapper(t)) {
                continue;
            }
            String kind = t.getClass().getSimpleName();
            String why = said.isEmpty()
                    ? Objects.requireNonNullElse(t.getMessage(), kind)
                    : firstLine(t).orElse(kind);
            if (said.stream().noneMatch(line -> line.contains(why))) {
                said.add(said.isEmpty() || why.equals(kind) ? why : kind + ": " + why);
            }
        }
        err.println("kipimo: " + said.get(0));
        if (said.size() > 1) {
            err.println("kipimo: by " + String.join(", by ", said.subList(1, said.size())));
        }
        err.flush();
    }

    /** Tells whether a throwable only repeats its cause. Wrappers that carry a failure from another thread do so. */
    private static boolean isWrapper(Throwable t) {
        return t.getCause() != null && t.getCause().toString().equals(t.getMessage());
    }

    private static Optional<String> firstLine(Throwable t) {
        return Optional.ofNullable(t.getMessage())
                .flatMap(message -> message.lines().findFirst());
    }
}
