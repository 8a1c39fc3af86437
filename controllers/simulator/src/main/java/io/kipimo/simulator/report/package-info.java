/**
 * Results as a table, as JSON, and as a self-contained page with plots. Read
 * {@link io.kipimo.simulator.report.TextReport} first.
 */
package io.kipimo.simulator.report;
