package io.kipimo.local;

import io.kipimo.cli.CommandProvider;
import io.kipimo.cli.terminal.Failures;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import picocli.CommandLine.IExecutionExceptionHandler;

/** Provides the command {@code kipimo local}. */
public final class LocalCommands implements CommandProvider {
    private final CountDownLatch stopped;

    public LocalCommands() {
        this(new CountDownLatch(1));
    }

    /** @param stopped latch that ends the command when its count is zero */
    LocalCommands(CountDownLatch stopped) {
        this.stopped = stopped;
    }

    @Override
    public Map<String, Supplier<Object>> commands() {
        return Map.of("local", () -> new LocalCommand(stopped));
    }

    @Override
    public IExecutionExceptionHandler failures() {
        return new Failures();
    }
}
