/** How commands find and reach the brokers. Read {@link io.kipimo.cli.kafka.KafkaOptions}. */
package io.kipimo.cli.kafka;
