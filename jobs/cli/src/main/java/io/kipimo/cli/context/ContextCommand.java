package io.kipimo.cli.context;

import io.kipimo.cli.terminal.Contexts;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.schemas.document.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kipimo context}: saves defaults of options under names. */
@Command(
        name = "context",
        description = {
            "Saves brokers and other addresses under a name, so that commands need no options for them. A context "
                    + "applies as a whole, unless brokers are named by an option or the environment.",
            "",
            "The file is kipimo/contexts.yaml in XDG_CONFIG_HOME or ~/.config. It holds no secrets: "
                    + "kafka-config is the path of a file."
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "  kipimo context set staging bootstrap-servers=kafka.staging:9092 topic-prefix=kipimo.",
            "  kipimo context use staging",
            "  kipimo context list",
            "  kipimo status --context production"
        })
public final class ContextCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "context needs one of list, set, use, remove");
    }

    @Command(name = "list", description = "Lists the contexts; * marks the one in use.")
    int list(@Mixin OutputOption output) {
        Contexts contexts = Contexts.read();
        output.print(
                () -> new JsonObject().with("current", contexts.current()).with("contexts", contexts.all()),
                out -> print(out, contexts));
        return ExitCodes.FINE;
    }

    private static void print(PrintWriter out, Contexts contexts) {
        if (contexts.all().isEmpty()) {
            out.println("there are no contexts; kipimo context set NAME OPTION=VALUE makes one");
            return;
        }
        List<String> titles = new ArrayList<>(List.of("", "context"));
        titles.addAll(Contexts.OPTIONS);
        TextTable table = new TextTable(titles);
        contexts.all().forEach((name, values) -> {
            boolean isCurrent = contexts.current().filter(name::equals).isPresent();
            List<String> row = new ArrayList<>(List.of(isCurrent ? "*" : "", name));
            Contexts.OPTIONS.forEach(o -> row.add(values.getOrDefault(o, "")));
            table.row(row);
        });
        table.print(out);
    }

    @Command(name = "set", description = "Makes or changes a context. The first one is in use at once.")
    int set(
            @Parameters(paramLabel = "NAME", description = "The context.") String name,
            @Parameters(
                            arity = "1..*",
                            paramLabel = "OPTION=VALUE",
                            description = "bootstrap-servers, topic-prefix, kafka-config, rest or trace-link; "
                                    + "without a value the option is removed.")
                    List<String> assignments,
            @Mixin OutputOption output) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String assignment : assignments) {
            int equals = assignment.indexOf('=');
            InputException.throwIf(equals < 1, "'" + assignment + "' is no assignment; allowed: OPTION=VALUE");
            values.put(
                    assignment.substring(0, equals),
                    assignment.substring(equals + 1).strip());
        }
        Contexts contexts = Contexts.read();
        contexts.set(name, values);
        return written(contexts, output);
    }

    @Command(name = "use", description = "Makes a context the one that commands use.")
    int use(@Parameters(paramLabel = "NAME", description = "The context.") String name, @Mixin OutputOption output) {
        Contexts contexts = Contexts.read();
        contexts.use(name);
        return written(contexts, output);
    }

    @Command(name = "remove", description = "Removes a context.")
    int remove(@Parameters(paramLabel = "NAME", description = "The context.") String name, @Mixin OutputOption output) {
        Contexts contexts = Contexts.read();
        contexts.remove(name);
        return written(contexts, output);
    }

    private int written(Contexts contexts, OutputOption output) {
        contexts.write();
        output.print(
                () -> new JsonObject().with("current", contexts.current()),
                out -> out.println(contexts.current()
                        .map(name -> "context in use: " + name)
                        .orElse("no context is in use")));
        return ExitCodes.FINE;
    }
}
