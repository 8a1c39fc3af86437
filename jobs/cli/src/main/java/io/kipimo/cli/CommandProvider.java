package io.kipimo.cli;

import io.kipimo.cli.terminal.Errors;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.IExecutionExceptionHandler;

/**
 * Commands of one module. {@link java.util.ServiceLoader} finds those of other modules on the class path, so that the
 * command line needs none of them.
 */
public interface CommandProvider {
    /** Objects with picocli's annotations, by the name of the command. Each is made only when it is asked for. */
    Map<String, Supplier<Object>> commands();

    /** Says what is wrong when one of these commands throws, and gives the exit code. */
    default IExecutionExceptionHandler failures() {
        return new Errors();
    }
}
