package io.kipimo.simulator.service;

/**
 * A server's queue, as the server itself sees it.
 *
 * @param waiting requests that wait for a core now
 * @param meanSeconds that those waited which were taken into service since the last reading; 0 without any
 * @param leastSeconds that one of them waited; 0 without any
 */
public record QueueReading(int waiting, double meanSeconds, double leastSeconds) {}
