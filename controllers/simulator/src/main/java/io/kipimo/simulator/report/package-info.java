/**
 * Results for eyes and programs: a table, JSON, and a page with plots that needs nothing else. Read
 * {@link io.kipimo.simulator.report.TextReport} first.
 */
package io.kipimo.simulator.report;
