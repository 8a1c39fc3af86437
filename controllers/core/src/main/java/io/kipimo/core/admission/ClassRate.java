package io.kipimo.core.admission;

/**
 * Rates of one class in its newest batch. They count all queries, not a sample.
 *
 * @param offeredPerSecond queries that requested admission
 * @param admittedPerSecond queries that were admitted
 */
record ClassRate(double offeredPerSecond, double admittedPerSecond) {}
