package io.kipimo.cli.caching;

import io.kipimo.cli.redis.RedisAddressOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.redis.RedisStaleKeys;
import io.kipimo.redis.RedisUnavailableException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo filter begin}: states that no cache holds an answer of a new table. */
@Command(
        name = "begin",
        description = {
            "Says of new tables that no cache holds an answer of them, so that their filter is served at once. "
                    + "Otherwise it is served when the longest time to live has passed.",
            "",
            "If a cache does hold one, clients may read it although it is stale."
        },
        footer = "  kipimo filter begin --redis localhost:6379 --table shop/products")
final class FilterBeginCommand extends PrintingCommand {
    @Mixin
    private RedisAddressOptions redis;

    @Option(names = "--table", required = true, paramLabel = "SERVICE/TABLE", description = "A table; may repeat.")
    private List<String> tables;

    @Override
    public Integer call() {
        tables.forEach(FilterServeCommand::checkTable);
        for (String table : tables) {
            try (RedisStaleKeys keys = RedisStaleKeys.withoutReads(redis.named(), table, FilterShape.ONE_ROUND_TRIP)) {
                keys.begin(System.currentTimeMillis());
            } catch (RedisUnavailableException e) {
                throw new InputException(e.getMessage());
            }
        }
        output.print(
                () -> Map.of("tables", tables),
                out -> out.println("nothing of " + String.join(", ", tables) + " was handed out until now"));
        return ExitCodes.FINE;
    }
}
