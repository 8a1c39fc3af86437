/** The quality job on Flink clusters of several JVMs. Read {@link io.kipimo.bench.cluster.ClusterBenchmark} first. */
package io.kipimo.bench.cluster;
