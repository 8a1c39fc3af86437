package io.kipimo.cli;

import io.kipimo.cli.terminal.DecimalNumbers;
import io.kipimo.cli.terminal.Errors;
import io.kipimo.cli.terminal.GlobalOptions;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.PlugIns;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;

/** The command {@code kipimo}. */
@Command(
        name = "kipimo",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Main.BuildVersion.class,
        description = {
            "Measures the answer quality of a scatter-gather service while it serves users, and "
                    + "controls the service by it."
        },
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    /** Subcommands that describe all other commands, and so need them to be loaded. */
    private static final List<String> ABOUT_ALL = List.of("help", "man", "completion");

    @Mixin(name = GlobalOptions.NAME)
    private final GlobalOptions global = new GlobalOptions();

    private Main() {}

    public static void main(String[] args) {
        List<String> unusable = new ArrayList<>();
        CommandLine command = commandLine(List.of(args), unusable::add);
        command.setOut(writer(FileDescriptor.out));
        command.setErr(writer(FileDescriptor.err));
        unusable.forEach(problem -> command.getErr().println("kipimo: some commands cannot be loaded: " + problem));
        int exitCode = command.execute(args);
        command.getOut().flush();
        command.getErr().flush();
        System.exit(exitCode);
    }

    /** The command with all its subcommands. */
    public static CommandLine commandLine() {
        return commandLine(providers(problem -> {}), name -> true);
    }

    /** The command with the subcommands of one provider only. */
    public static CommandLine commandLine(CommandProvider provider) {
        return commandLine(List.of(provider), name -> true);
    }

    /**
     * Builds the command with only the subcommand that the arguments name, because creating all subcommands takes
     * longer than the work of some. Builds it with all subcommands if the arguments name none, or one that describes
     * all, such as {@code help}.
     *
     * @param unusable receives a message for each provider that cannot be loaded
     */
    public static CommandLine commandLine(List<String> args, Consumer<String> unusable) {
        Optional<String> named = named(args);
        if (named.isEmpty() && (args.contains("--version") || args.contains("-V"))) {
            return commandLine(List.of(), name -> false);
        }
        List<CommandProvider> providers = List.of(new ProductCommands());
        boolean isOfProduct = named.filter(name -> !ABOUT_ALL.contains(name) && has(providers, name))
                .isPresent();
        if (isOfProduct) {
            return commandLine(providers, named.get()::equals);
        }
        List<CommandProvider> all = providers(unusable);
        boolean isOne = named.filter(name -> !ABOUT_ALL.contains(name) && has(all, name))
                .isPresent();
        return commandLine(all, isOne ? named.get()::equals : name -> true);
    }

    /** The subcommand that the arguments name: the first argument that is neither an option nor an option's value. */
    private static Optional<String> named(List<String> args) {
        for (int i = 0; i < args.size(); i++) {
            if (GlobalOptions.WITH_VALUE.contains(args.get(i))) {
                i++;
            } else if (!args.get(i).startsWith("-")) {
                return Optional.of(args.get(i));
            }
        }
        return Optional.empty();
    }

    private static boolean has(List<CommandProvider> providers, String name) {
        return providers.stream().anyMatch(provider -> provider.commands().containsKey(name));
    }

    private static List<CommandProvider> providers(Consumer<String> unusable) {
        List<CommandProvider> providers = new ArrayList<>(List.of(new ProductCommands()));
        providers.addAll(PlugIns.all(CommandProvider.class, unusable));
        return providers;
    }

    private static CommandLine commandLine(List<CommandProvider> providers, Predicate<String> needed) {
        Main main = new Main();
        CommandLine command = new CommandLine(main);
        Errors errors = new Errors();
        Map<String, IExecutionExceptionHandler> failures = new HashMap<>();
        for (CommandProvider provider : providers) {
            provider.commands().forEach((name, made) -> {
                if (needed.test(name)) {
                    command.addSubcommand(name, new CommandLine(made.get()));
                    failures.put(name, provider.failures());
                }
            });
        }
        DecimalNumbers.register(command);
        headExamples(command.getCommandSpec());
        command.setExecutionExceptionHandler(
                        (e, failed, parsed) -> failures.getOrDefault(topName(failed.getCommandSpec()), errors)
                                .handleExecutionException(e, failed, parsed))
                .setExecutionStrategy(parsed -> {
                    try {
                        main.global.apply();
                    } catch (InputException e) {
                        return errors.handleExecutionException(e, command, parsed);
                    }
                    return new RunLast().execute(parsed);
                })
                .setParameterExceptionHandler(errors)
                // A query id may begin with '@'.
                .setExpandAtFiles(false)
                .setUsageHelpWidth(100)
                .setUsageHelpAutoWidth(true)
                .setCaseInsensitiveEnumValuesAllowed(true);
        return command;
    }

    /** Name of the top-level subcommand that this command is, or to which it belongs. */
    private static String topName(CommandSpec command) {
        CommandSpec top = command;
        while (top.parent() != null && top.parent().parent() != null) {
            top = top.parent();
        }
        return top.name();
    }

    /** Gives the heading "Examples" to all footers, except those whose first line is empty. */
    private static void headExamples(CommandSpec spec) {
        String[] footer = spec.usageMessage().footer();
        if (footer.length > 0 && !footer[0].isEmpty()) {
            spec.usageMessage().footerHeading("%nExamples:%n");
        }
        spec.subcommands().values().forEach(command -> headExamples(command.getCommandSpec()));
    }

    /** Creates a writer of UTF-8, because the platform's encoding may lack characters of names. */
    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
    }

    /** Reads the version that the build recorded. */
    static final class BuildVersion implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            try (InputStream in = Main.class.getResourceAsStream("version.txt")) {
                String version = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
                return new String[] {"kipimo " + version};
            }
        }
    }
}
