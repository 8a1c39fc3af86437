package io.kipimo.bench;

import io.kipimo.cli.CommandProvider;
import io.kipimo.cli.terminal.Failures;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.IExecutionExceptionHandler;

/** Provides the command {@code kipimo bench}. */
public final class BenchCommands implements CommandProvider {
    @Override
    public Map<String, Supplier<Object>> commands() {
        return Map.of("bench", BenchCommand::new);
    }

    @Override
    public IExecutionExceptionHandler failures() {
        return new Failures();
    }
}
