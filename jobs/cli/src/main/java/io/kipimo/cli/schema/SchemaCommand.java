package io.kipimo.cli.schema;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.TextTable;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kipimo schema}: JSON Schemas of YAML files. */
@Command(
        name = "schema",
        description = {
            "Prints a JSON Schema of a kind of YAML file, for editors: keys, types, ranges and "
                    + "constants. Without a name, lists the kinds.",
            "",
            "Editors that know the YAML language server take it from the first line of the file:",
            "# yaml-language-server: $$schema=policy.schema.json",
            "The commands that read the files check more."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo schema",
            "  kipimo schema policy > policy.schema.json",
        })
public final class SchemaCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "policy, gateway, otlp, contexts, scenario, caching.")
    private String name;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (name == null) {
            list(out);
            return ExitCodes.FINE;
        }
        DocumentKind kind = DocumentKind.named(name)
                .orElseThrow(() -> new InputException(
                        "schema is '" + name + "'; allowed: " + String.join(", ", DocumentKind.words())));
        output.print(out, kind.schema());
        return ExitCodes.FINE;
    }

    private void list(PrintWriter out) {
        if (output.isDocument()) {
            Map<String, String> kinds = new LinkedHashMap<>();
            for (DocumentKind kind : DocumentKind.values()) {
                kinds.put(kind.word(), kind.description());
            }
            output.print(out, kinds);
            return;
        }
        TextTable table = new TextTable(List.of("schema", "of"));
        for (DocumentKind kind : DocumentKind.values()) {
            table.row(List.of(kind.word(), kind.description()));
        }
        table.print(out);
    }
}
