/**
 * Rates one server with real traffic: reads servers' observations, sets shares of a load balancer. Read
 * {@link io.kipimo.loadgen.squeeze.SqueezeRun} first.
 */
package io.kipimo.loadgen.squeeze;
