/**
 * Whether alerts fire when something is the matter, and only then. Read {@link
 * io.kipimo.endtoend.alerts.AlertsITCase} first.
 */
package io.kipimo.endtoend.alerts;
