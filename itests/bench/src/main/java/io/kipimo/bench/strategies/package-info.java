/**
 * What restoring a store between experiments costs a rating, way by way. Read {@link
 * io.kipimo.bench.strategies.StrategiesBenchmark} first.
 */
package io.kipimo.bench.strategies;
