/**
 * Flink's sources and sinks for Kafka. They also handle the checking of records, dead letters, event time, and the
 * epochs of controllers.
 *
 * <p>Read {@link io.kipimo.kafka.KafkaSources} first.
 */
package io.kipimo.kafka;
