/**
 * Flink clusters to submit jobs to: separate JVMs that can be killed, or one within this JVM. Read
 * {@link io.kipimo.embedded.flink.FlinkCluster} first.
 */
package io.kipimo.embedded.flink;
