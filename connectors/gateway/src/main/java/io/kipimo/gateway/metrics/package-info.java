/** Counters of a gateway. Read {@link io.kipimo.gateway.metrics.RouteCounts}. */
package io.kipimo.gateway.metrics;
