/** Servers that run on this machine for as long as a command or a test: Kafka, Redis and Flink. */
package io.kipimo.embedded;
