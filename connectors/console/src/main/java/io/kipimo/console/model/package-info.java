/**
 * The console's model of services, built from records, with a diagnosis of each class: a status (ok, wrong, unknown,
 * idle), its start, and a sentence. Memory is bounded for any input; time is an argument. Read
 * {@link io.kipimo.console.model.ConsoleModel} first, then {@link io.kipimo.console.model.Diagnosis}.
 */
package io.kipimo.console.model;
