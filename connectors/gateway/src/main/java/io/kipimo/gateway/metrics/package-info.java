/** What a gateway counts. Read {@link io.kipimo.gateway.metrics.RouteCounts}. */
package io.kipimo.gateway.metrics;
