/**
 * Flink operators that run the functions of {@code io.kipimo.core} as thin wrappers. They depend on neither Kafka nor
 * Redis.
 */
package io.kipimo.operators;
