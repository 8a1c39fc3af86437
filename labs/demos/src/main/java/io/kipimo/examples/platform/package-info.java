/** Kafka, Redis and Flink on this machine, for demos and for a service under development. */
package io.kipimo.examples.platform;
