package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Range;

/**
 * Processing capacity of servers (sPARE, sec. V-A1).
 *
 * @param cores M * V, number of servers times cores per server, mean over the window
 * @param requestsPerSecond M * V * mu, where mu is the rate of one core; at a higher rate of arrivals, copies included,
 *     queues grow without bound
 * @param load arrivals per second / {@code requestsPerSecond}; from 1 on, overload
 */
public record ProcessingCapacity(
        @Range(most = 1e18) double cores,
        @Range(most = 1e18) double requestsPerSecond,
        @Range(most = 1e18) double load) {}
