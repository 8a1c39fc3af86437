/** A Kafka broker within this JVM. Read {@link io.kipimo.harness.kafka.EmbeddedKafka} first. */
package io.kipimo.harness.kafka;
