/**
 * What the console knows, from the records it was given, and what it makes of it: for each class of
 * each service one word (ok, wrong, unknown, idle), since when, and a sentence. Bounded in memory
 * whatever comes; time is an argument. Read {@link io.kipimo.console.model.ConsoleModel} first,
 * then {@link io.kipimo.console.model.Diagnosis}.
 */
package io.kipimo.console.model;
