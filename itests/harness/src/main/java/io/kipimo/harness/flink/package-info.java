/**
 * Flink clusters to submit jobs to: separate JVMs that can be killed, or one within this JVM. Read
 * {@link io.kipimo.harness.flink.FlinkCluster} first.
 */
package io.kipimo.harness.flink;
