package io.kipimo.cli.caching;

import picocli.CommandLine.Command;

/** {@code kipimo filter}: commands for the filter of stale keys. */
@Command(
        name = "filter",
        description = "The filter of stale keys, which clients check before they use a cached entry.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {FilterServeCommand.class, FilterBeginCommand.class})
public final class FilterCommand {}
