/**
 * The error budget of a quality objective: (1 - objective) is the mean quality that a query may lose, and the burn rate
 * is the actual loss in multiples of it (Google, "The Site Reliability Workbook", ch. 5, "Alerting on SLOs", with lost
 * quality in place of failed requests). Read {@link io.kipimo.core.quality.budget.Budgets} first.
 */
package io.kipimo.core.quality.budget;
