package io.kipimo.schemas.budget;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.OfServiceClass;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Remaining error budget of one class: the quality that it may still lose; topic {@code error-budgets}. A period's
 * budget is (1 - objective) per query. Identity: service, class, metric, end.
 *
 * @param objective mean answer quality to keep, 0..1
 * @param shortWindow burn rate of the last minutes, which shows that the budget burns now
 * @param longWindow burn rate of a longer time, which shows that the loss matters
 * @param remaining share of the period's budget that is left, at most 1; below 0: more than the budget was spent
 * @param periodMillis length of the period for which the objective holds, milliseconds
 * @param coveredMillis part of the period that measurements cover, milliseconds
 * @param causes components with their shares of the long window's loss, greatest first
 */
@WithBuilder
public record ErrorBudget(
        @Name String service,
        @Name String queryClass,
        @Name String metric,
        @Range(least = 1, most = Range.LATEST_MILLIS) long endMillis,
        @Range(most = 1) double objective,
        BurnRate shortWindow,
        BurnRate longWindow,
        @Range(least = -BurnRate.FASTEST, most = 1) double remaining,

        @Range(least = 1, most = ErrorBudget.LONGEST_PERIOD_MILLIS)
        long periodMillis,

        @Range(mostOf = "periodMillis") long coveredMillis,
        BudgetVerdict verdict,
        @Initializer(source = List.class, value = "of") List<LossCause> causes)
        implements OfServiceClass {
    /** Ten years, in milliseconds. */
    public static final long LONGEST_PERIOD_MILLIS = 3650L * 86_400_000;
}
