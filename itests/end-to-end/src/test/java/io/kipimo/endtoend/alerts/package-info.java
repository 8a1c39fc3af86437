/**
 * Checks that alerts fire for their fault, and only then. Read {@link io.kipimo.endtoend.alerts.AlertsITCase} first.
 */
package io.kipimo.endtoend.alerts;
