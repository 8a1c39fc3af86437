/** Flink operators around the core's functions: thin and keyed, without Kafka and Redis. */
package io.kipimo.operators;
