/**
 * The error budget of a quality objective and its burn rate. Read {@link io.kipimo.schemas.budget.ErrorBudget} first.
 */
package io.kipimo.schemas.budget;
