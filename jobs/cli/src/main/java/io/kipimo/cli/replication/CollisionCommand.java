package io.kipimo.cli.replication;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.core.replication.Collisions;
import io.kipimo.core.replication.Factors;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo collision}: computes the probability that copies of one request meet at a server. */
@Command(
        name = "collision",
        description = {
            "The probability that copies of one tier-1 request meet at a server of the last tier, "
                    + "where a second copy gains nothing (sPARE, proposition 2)."
        },
        footer = {
            "  kipimo collision --servers 6,8 --factors 2,2",
            "  kipimo collision --servers 100,400,10000 --factors 2,1,3 --json"
        })
public final class CollisionCommand extends PrintingCommand {
    /** Greatest number of servers in a tier, which bounds the terms of the sum. */
    private static final int MOST_SERVERS = 10_000_000;

    @Option(
            names = "--servers",
            required = true,
            split = ",",
            paramLabel = "M",
            description = "Servers of each tier, first to last.")
    private List<Integer> servers;

    @Option(
            names = "--factors",
            required = true,
            split = ",",
            paramLabel = "R",
            description = "Replication factor of each tier, first to last.")
    private List<Integer> factors;

    @Override
    public Integer call() {
        InputException.throwIf(
                servers.size() != factors.size(),
                "--servers has %s tiers, --factors %s; allowed: equal numbers"
                        .formatted(servers.size(), factors.size()));
        within("--servers", servers);
        within("--factors", factors);
        for (int tier = 0; tier < servers.size(); tier++) {
            InputException.throwIf(
                    factors.get(tier) > servers.get(tier),
                    "--factors has %s in tier %s; allowed: 1..%s, its servers"
                            .formatted(factors.get(tier), tier + 1, servers.get(tier)));
        }
        Factors r = new Factors(factors);
        int last = servers.size() - 1;
        output.print(
                () -> Map.of("collision_probability", Collisions.probability(servers, r, 0, last)), table(r)::print);
        return ExitCodes.FINE;
    }

    private static void within(String option, List<Integer> values) {
        for (int value : values) {
            InputException.throwIf(
                    value < 1 || value > MOST_SERVERS, option + " has " + value + "; allowed: 1.." + MOST_SERVERS);
        }
    }

    private TextTable table(Factors r) {
        TextTable table = new TextTable("tier", "servers", "factor", "copies of a request", "collision");
        for (int tier = 0; tier < servers.size(); tier++) {
            double copies = r.amplification(0, tier) * r.at(tier);
            table.row(
                    Integer.toString(tier + 1),
                    Integer.toString(servers.get(tier)),
                    Integer.toString(r.at(tier)),
                    new BigDecimal(copies).round(new MathContext(6)).toString(),
                    String.format(Locale.ROOT, "%.6f", Collisions.probability(servers, r, 0, tier)));
        }
        return table;
    }
}
