/**
 * The log as every part of Kipimo reaches it: which settings may be passed to Kafka clients, which
 * topics there are, where policies lie.
 *
 * <p>Read {@link io.kipimo.sdk.kafka.KafkaSettings} first.
 */
package io.kipimo.sdk.kafka;
