/**
 * Error budgets on Flink. Input are measurements and counts, output is one budget for each class and minute. Read
 * {@link io.kipimo.operators.budget.ErrorBudgetFunction} first.
 */
package io.kipimo.operators.budget;
