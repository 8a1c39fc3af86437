/** Kafka, Redis and Flink as real processes on this machine, for tests, demos and benchmarks. */
package io.kipimo.harness;
