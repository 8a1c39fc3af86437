package io.kipimo.cli.schema;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.schemas.document.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code kipimo schema}: prints JSON Schemas of YAML files. */
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
        footer = {
            "  kipimo schema",
            "  kipimo schema policy > policy.schema.json",
        })
public final class SchemaCommand extends PrintingCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "policy, gateway, otlp, contexts, scenario, caching.")
    private String name;

    @Override
    public Integer call() {
        if (name == null) {
            list();
            return ExitCodes.FINE;
        }
        DocumentKind kind = DocumentKind.named(name)
                .orElseThrow(() -> new InputException(
                        "schema is '" + name + "'; allowed: " + String.join(", ", DocumentKind.words())));
        output.print(output.out(), kind.schema());
        return ExitCodes.FINE;
    }

    private void list() {
        JsonObject kinds = new JsonObject();
        TextTable table = new TextTable("schema", "of");
        for (DocumentKind kind : DocumentKind.values()) {
            kinds.put(kind.word(), kind.description());
            table.row(kind.word(), kind.description());
        }
        output.print(() -> kinds, table::print);
    }
}
