package io.kipimo.labs.commands;

import io.kipimo.cli.CommandProvider;
import java.util.Map;
import java.util.function.Supplier;

/** Provides the command {@code kipimo reproduce}. */
public final class LabCommands implements CommandProvider {
    @Override
    public Map<String, Supplier<Object>> commands() {
        return Map.of("reproduce", ReproduceCommand::new);
    }
}
