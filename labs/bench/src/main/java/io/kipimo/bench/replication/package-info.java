/**
 * Replication factors chosen live, on two tiers behind two gateways. Read
 * {@link io.kipimo.bench.replication.LiveReplicationBenchmark} first.
 */
package io.kipimo.bench.replication;
