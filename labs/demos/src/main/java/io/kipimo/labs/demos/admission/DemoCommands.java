package io.kipimo.labs.demos.admission;

import io.kipimo.cli.CommandProvider;
import io.kipimo.cli.terminal.Failures;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.IExecutionExceptionHandler;

/** Provides the command {@code kipimo demo}. */
public final class DemoCommands implements CommandProvider {
    @Override
    public Map<String, Supplier<Object>> commands() {
        return Map.of("demo", DemoCommand::new);
    }

    @Override
    public IExecutionExceptionHandler failures() {
        return new Failures();
    }
}
