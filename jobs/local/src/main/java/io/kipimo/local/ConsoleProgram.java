package io.kipimo.local;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that starts a console. */
public abstract class ConsoleProgram implements Callable<Integer> {
    @Spec
    protected CommandSpec spec;

    @Option(
            names = "--port",
            defaultValue = "8080",
            paramLabel = "N",
            description = "Port of the console; any free port if 0 or occupied. Default: ${DEFAULT-VALUE}.")
    protected int port;

    protected final void requirePort() {
        require(port >= 0 && port <= 65_535, "--port is " + port + "; allowed: 0..65535");
    }

    protected final void require(boolean condition, String problem) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }
}
