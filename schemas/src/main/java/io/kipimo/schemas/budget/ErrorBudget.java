package io.kipimo.schemas.budget;

import java.util.List;

/**
 * What is left of the quality that one class may lose; topic {@code error-budgets}. The budget of a
 * period is (1 - objective) a query. Identity: service, class, metric, end.
 *
 * @param objective mean answer quality to keep, 0..1
 * @param shortWindow tells that it burns now
 * @param longWindow tells that it matters
 * @param remaining share of the period's budget that is left, at most 1; below 0: overspent
 * @param periodMillis over which the objective is to be kept
 * @param coveredMillis of it that measurements exist for
 * @param causes components by the share of the long window's loss that they caused, greatest first
 */
public record ErrorBudget(
        String service,
        String queryClass,
        String metric,
        long endMillis,
        double objective,
        BurnRate shortWindow,
        BurnRate longWindow,
        double remaining,
        long periodMillis,
        long coveredMillis,
        BudgetVerdict verdict,
        List<LossCause> causes) {}
