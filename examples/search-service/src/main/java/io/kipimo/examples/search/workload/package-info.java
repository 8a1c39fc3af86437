/**
 * Cheap and expensive queries in shares that change during a run. So a controller that was tuned to one mix must also
 * work for the next. Read {@link io.kipimo.examples.search.workload.QueryMix} first.
 */
package io.kipimo.examples.search.workload;
