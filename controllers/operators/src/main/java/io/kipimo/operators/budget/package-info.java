/**
 * Error budgets on Flink: measurements and counts in, a budget a class and minute out. Read {@link
 * io.kipimo.operators.budget.ErrorBudgetFunction} first.
 */
package io.kipimo.operators.budget;
