/** The quality job on Flink clusters of several JVMs. Read {@link io.kipimo.bench.cluster.ScaleBenchmark} first. */
package io.kipimo.bench.cluster;
