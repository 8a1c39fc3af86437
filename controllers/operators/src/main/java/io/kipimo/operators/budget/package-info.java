/**
 * Error budgets on Flink, computed from measurements and from the counts of front ends. The output is one budget for
 * each class and minute. Read {@link io.kipimo.operators.budget.ErrorBudgetFunction} first.
 */
package io.kipimo.operators.budget;
