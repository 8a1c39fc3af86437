package io.kipimo.cli.terminal;

import io.kipimo.schemas.field.Names;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Prints a failure on standard error, with one line for each problem. Prints a stack trace only with {@code --verbose}.
 */
public final class Errors implements IExecutionExceptionHandler, IParameterExceptionHandler {
    /**
     * Greatest number of characters that are printed of one problem. A longer value, or a longer list of what is
     * allowed, would hide the other problems.
     */
    private static final int MOST_CHARACTERS = 1_000;

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String text = Plain.text(e.getMessage());
        report(
                command.getErr(),
                text + "; " + command.getCommandSpec().qualifiedName() + " --help says what is allowed");
        return ExitCodes.BAD_INPUT;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
        if (e instanceof InputException
                || e instanceof BrokerUnavailableException
                || e instanceof IllegalArgumentException) {
            String.valueOf(e.getMessage()).lines().forEach(line -> report(command.getErr(), line));
        } else if (e instanceof IOException failure) {
            report(command.getErr(), Plain.text(failure.getMessage()));
        } else {
            report(command.getErr(), "failed unexpectedly: " + oneLine(e.toString()));
        }
        GlobalOptions.of(command.getCommandSpec()).printCauses(e, command.getErr());
        return ExitCodes.BAD_INPUT;
    }

    private static void report(PrintWriter err, String line) {
        String text = Names.printable(line);
        err.println("kipimo: "
                + (text.length() <= MOST_CHARACTERS
                        ? text
                        : "%s… (%s more characters)"
                                .formatted(Names.cut(text, MOST_CHARACTERS), text.length() - MOST_CHARACTERS)));
        err.flush();
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }
}
