/**
 * The rating of one server by real traffic: reports of servers in, shares of a load balancer out.
 * Read {@link io.kipimo.loadgen.squeeze.SqueezeRun} first.
 */
package io.kipimo.loadgen.squeeze;
