package io.kipimo.cli.export;

import picocli.CommandLine.Command;

/** {@code kipimo export}: writes measured queries as files. */
@Command(
        name = "export",
        description = "Writes measured queries as files for the tools of analysts.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = ExportQualityCommand.class)
public final class ExportCommand {}
