/**
 * What users ask: cheap and expensive queries in shares that change during a run, since a loop that
 * was tuned to one mix must hold for the next. Read {@link
 * io.kipimo.examples.search.workload.QueryMix} first.
 */
package io.kipimo.examples.search.workload;
