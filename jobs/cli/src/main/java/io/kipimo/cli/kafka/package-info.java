/** Options by which commands find and reach the brokers. Read {@link io.kipimo.cli.kafka.BrokerOptions}. */
package io.kipimo.cli.kafka;
