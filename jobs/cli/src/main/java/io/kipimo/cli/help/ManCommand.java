package io.kipimo.cli.help;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.Plain;
import io.kipimo.cli.terminal.PrintingCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code kipimo man}: writes man pages of all commands. */
@Command(
        name = "man",
        description = "Writes a man page of each command into a directory, such as man1.",
        footer = {"  kipimo man ~/.local/share/man/man1 && man kipimo-gate"})
public final class ManCommand extends PrintingCommand {
    @Parameters(paramLabel = "DIRECTORY", description = "Made if it is not there.")
    private Path directory;

    @Override
    public Integer call() {
        Map<String, String> pages = new TreeMap<>();
        collect(spec.root().commandLine(), pages);
        try {
            Files.createDirectories(directory);
            for (Map.Entry<String, String> page : pages.entrySet()) {
                Files.writeString(directory.resolve(page.getKey()), page.getValue());
            }
        } catch (IOException e) {
            throw new InputException("DIRECTORY " + directory + " cannot be written: " + Plain.text(e.toString()));
        }
        output.print(
                () -> Map.of("pages", pages.keySet()), out -> out.println(pages.size() + " pages in " + directory));
        return ExitCodes.FINE;
    }

    private static void collect(CommandLine command, Map<String, String> pages) {
        if (command.getCommandSpec().usageMessage().hidden()
                || command.getCommand() instanceof CommandLine.HelpCommand) {
            return;
        }
        pages.put(ManPage.name(command) + ".1", ManPage.of(command));
        command.getSubcommands().values().forEach(sub -> collect(sub, pages));
    }
}
