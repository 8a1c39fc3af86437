/**
 * Flink clusters to submit jobs to: of separate JVMs that can be killed, or within this one. Read
 * {@link io.kipimo.harness.flink.FlinkCluster} first.
 */
package io.kipimo.harness.flink;
