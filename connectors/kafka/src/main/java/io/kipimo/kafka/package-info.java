/**
 * Flink's sources and sinks on Kafka: acceptance of records, dead letters, event time, and epochs of controllers.
 *
 * <p>Read {@link io.kipimo.kafka.KafkaSources} first.
 */
package io.kipimo.kafka;
