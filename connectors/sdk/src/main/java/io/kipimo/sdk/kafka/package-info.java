/**
 * Where Kafka is, how to connect to it, and which client properties are allowed.
 *
 * <p>Read {@link io.kipimo.sdk.kafka.KafkaSettings} first.
 */
package io.kipimo.sdk.kafka;
