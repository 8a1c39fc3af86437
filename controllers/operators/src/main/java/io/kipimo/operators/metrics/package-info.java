/** Counters that remain correct after a failover. Read {@link io.kipimo.operators.metrics.ConservedCounters} first. */
package io.kipimo.operators.metrics;
