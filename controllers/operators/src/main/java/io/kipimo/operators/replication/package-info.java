/**
 * Replication factors on Flink. Input are windows of tails and policies, output are decisions, renewed every period.
 * Read {@link io.kipimo.operators.replication.ReplicationFunction} first.
 */
package io.kipimo.operators.replication;
