/**
 * The error budget of a quality objective and how fast it burns. Read {@link
 * io.kipimo.schemas.budget.ErrorBudget} first.
 */
package io.kipimo.schemas.budget;
