/**
 * The error budget of a quality objective: (1 - objective) is the mean quality that a query may
 * lose, and the burn rate is how many times that is being lost (Google, "The Site Reliability
 * Workbook", ch. 5, "Alerting on SLOs", with quality lost in place of requests failed). Read {@link
 * io.kipimo.core.quality.budget.Budgets} first.
 */
package io.kipimo.core.quality.budget;
