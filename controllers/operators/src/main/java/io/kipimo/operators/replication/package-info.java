/**
 * Replication factors on Flink: windows of tails and policies in, decisions out, renewed every
 * period. Read {@link io.kipimo.operators.replication.ReplicationFunction} first.
 */
package io.kipimo.operators.replication;
