package io.kipimo.core.admission;

/**
 * Queries of one class in its newest batch, unsampled.
 *
 * @param offeredPerSecond queries that requested admission
 * @param admittedPerSecond those of them that were admitted
 */
record ClassRate(double offeredPerSecond, double admittedPerSecond) {}
