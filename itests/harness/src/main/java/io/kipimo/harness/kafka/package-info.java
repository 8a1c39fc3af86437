/** Kafka brokers, within this JVM or in JVMs of their own. Read {@link io.kipimo.harness.kafka.EmbeddedKafka} first. */
package io.kipimo.harness.kafka;
