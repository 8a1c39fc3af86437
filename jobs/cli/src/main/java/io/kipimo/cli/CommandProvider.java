package io.kipimo.cli;

import io.kipimo.cli.terminal.Errors;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.IExecutionExceptionHandler;

/**
 * Provides the commands of one module. {@link java.util.ServiceLoader} finds the providers of other modules on the
 * class path, so the command line does not depend on those modules.
 */
public interface CommandProvider {
    /**
     * Creators of command objects, which have picocli's annotations, by command name. Each command is created only on
     * request.
     */
    Map<String, Supplier<Object>> commands();

    /** Returns the handler that reports an exception of one of these commands and gives the exit code. */
    default IExecutionExceptionHandler failures() {
        return new Errors();
    }
}
