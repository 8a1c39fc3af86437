/**
 * Kafka brokers, within this JVM or in JVMs of their own. Read {@link io.kipimo.embedded.kafka.EmbeddedKafka} first.
 */
package io.kipimo.embedded.kafka;
