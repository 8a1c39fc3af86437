package io.kipimo.cli.advice;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo budget}: prints the newest error budget of each class. */
@Command(
        name = "budget",
        description = {
            "Prints how much of each class's error budget is left, and how fast it is used: at a "
                    + "burn rate of 1 the budget lasts exactly its period.",
            "",
            "Exits with 0 if all is fine, 1 if a budget burns fast or is exhausted, and 3 if one is not known, or none."
        },
        footer = {
            "  kipimo budget --bootstrap-servers localhost:9092",
            "  kipimo budget --service search --class high --json"
        })
public final class BudgetCommand extends KafkaCommand {
    private static final int SHOWN_CAUSES = 3;

    @Mixin
    private ClassFilter filter;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            defaultValue = "1h",
            description = "Read budgets of this period. Default: ${DEFAULT-VALUE}")
    private String since;

    @Override
    public Integer call() {
        Duration back = TimeSpan.parse("--since", since);
        Collection<ErrorBudget> budgets =
                newest(kafka.connect(Topic.ERROR_BUDGETS), System.currentTimeMillis() - back.toMillis());
        if (budgets.isEmpty()) {
            return output.notEnough("no error budget of " + filter + " since " + since);
        }
        output.print(() -> budgets, table(budgets)::print);
        return exitCode(budgets);
    }

    private Collection<ErrorBudget> newest(KafkaSettings settings, long fromMillis) {
        Map<String, ErrorBudget> newest = new TreeMap<>();
        TopicReader.read(settings, Topic.ERROR_BUDGETS, fromMillis, Codecs.ERROR_BUDGET, budget -> {
            if (filter.matches(budget.service(), budget.queryClass())) {
                newest.merge(
                        budget.service() + '/' + budget.queryClass() + '/' + budget.metric(),
                        budget,
                        (old, next) -> next.endMillis() >= old.endMillis() ? next : old);
            }
        });
        return newest.values();
    }

    private static int exitCode(Collection<ErrorBudget> budgets) {
        if (budgets.stream()
                .map(ErrorBudget::verdict)
                .anyMatch(v -> v == BudgetVerdict.FAST_BURN || v == BudgetVerdict.EXHAUSTED)) {
            return ExitCodes.NO;
        }
        return budgets.stream().anyMatch(b -> b.verdict() == BudgetVerdict.NOT_ENOUGH)
                ? ExitCodes.NOT_ENOUGH
                : ExitCodes.FINE;
    }

    private static TextTable table(Collection<ErrorBudget> budgets) {
        TextTable table = new TextTable(
                "service",
                "class",
                "metric",
                "objective",
                "verdict",
                "left",
                "burn, short",
                "burn, long",
                "of the period known",
                "lost by");
        for (ErrorBudget budget : budgets) {
            table.row(
                    budget.service(),
                    budget.queryClass(),
                    budget.metric(),
                    FigureText.fraction(budget.objective()),
                    FigureText.verdict(budget.verdict().name()),
                    FigureText.share(budget.remaining()),
                    burn(budget.shortWindow()),
                    burn(budget.longWindow()),
                    FigureText.share((double) budget.coveredMillis() / budget.periodMillis()),
                    causes(budget));
        }
        return table;
    }

    private static String burn(BurnRate burn) {
        String window = FigureText.span(burn.windowMillis()) + ": ";
        return burn.samples() == 0
                ? window + "unknown"
                : window + String.format(Locale.ROOT, "%.1f (%.1f..%.1f)", burn.rate(), burn.low(), burn.high());
    }

    private static String causes(ErrorBudget budget) {
        return budget.causes().stream()
                .limit(SHOWN_CAUSES)
                .map(cause -> cause.component() + " " + FigureText.share(cause.share()))
                .collect(Collectors.joining(", "));
    }
}
