/**
 * Settings of the connection to Kafka: addresses of brokers, and the client properties that are allowed.
 *
 * <p>Read {@link io.kipimo.sdk.kafka.KafkaSettings} first.
 */
package io.kipimo.sdk.kafka;
