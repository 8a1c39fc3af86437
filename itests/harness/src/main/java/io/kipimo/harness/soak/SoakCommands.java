package io.kipimo.harness.soak;

import io.kipimo.cli.CommandProvider;
import io.kipimo.cli.terminal.Failures;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.IExecutionExceptionHandler;

/** Provides the command {@code kipimo soak}. */
public final class SoakCommands implements CommandProvider {
    @Override
    public Map<String, Supplier<Object>> commands() {
        return Map.of("soak", SoakCommand::new);
    }

    @Override
    public IExecutionExceptionHandler failures() {
        return new Failures();
    }
}
