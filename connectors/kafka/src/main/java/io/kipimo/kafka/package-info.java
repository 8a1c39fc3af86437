/**
 * Flink's sources and sinks on Kafka: which records are let in, what becomes of the others, how
 * time is read from them, and where a controller's epochs come from (reliability: Flink rules).
 *
 * <p>Read {@link io.kipimo.kafka.KafkaSources} first.
 */
package io.kipimo.kafka;
