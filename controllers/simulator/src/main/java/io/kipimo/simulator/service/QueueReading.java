package io.kipimo.simulator.service;

/**
 * A server's queue, as the server itself sees it.
 *
 * @param waiting requests that wait for a core now
 * @param meanSeconds mean wait of the requests that were taken into service since the last reading; 0 without any
 * @param leastSeconds least wait of these requests; 0 without any
 */
public record QueueReading(int waiting, double meanSeconds, double leastSeconds) {}
