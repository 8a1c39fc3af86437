package io.kipimo.jobs.options;

import io.kipimo.kafka.SourceSettings;
import io.kipimo.sdk.kafka.KafkaSettings;
import org.apache.flink.connector.base.DeliveryGuarantee;

/**
 * What every job needs to know.
 *
 * @param job name, part of the consumer group and of transactional ids
 * @param guarantee of facts; decisions are always at-least-once
 * @param topicReplication of topics that are created because they are missing; 0: the broker's
 *     default
 */
public record JobOptions(
        String job,
        KafkaSettings kafka,
        SourceSettings source,
        DeliveryGuarantee guarantee,
        KafkaOptions.BrokerAway brokerAway,
        short topicReplication) {

    /** Reads the common options; problems are collected by the reader. */
    public static JobOptions read(OptionSet.Reader reader, String job) {
        return new JobOptions(
                job,
                KafkaOptions.kafka(reader),
                KafkaOptions.source(reader, job),
                reader.get(KafkaOptions.GUARANTEE).flink(),
                reader.get(KafkaOptions.BROKER_AWAY),
                reader.get(KafkaOptions.REPLICATION).shortValue());
    }
}
