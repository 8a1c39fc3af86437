package io.kipimo.jobs.options;

import io.kipimo.kafka.SourceSettings;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import org.apache.flink.connector.base.DeliveryGuarantee;

/**
 * What every job needs to know.
 *
 * @param guarantee of facts; decisions are always at-least-once
 * @param topicReplication of topics that are created because they are missing; 0: the broker's
 *     default
 */
public record JobOptions(
        KafkaSettings kafka,
        SourceSettings source,
        DeliveryGuarantee guarantee,
        KafkaOptions.BrokerAway brokerAway,
        short topicReplication) {

    /**
     * Whose transactions these are. Brokers fence the older of two producers of one id, so neither
     * jobs nor installations that share brokers may have one in common.
     */
    public String transactionalIdPrefix(Topic topic) {
        return source.groupId() + '-' + kafka.name(topic);
    }

    /**
     * Reads the common options; problems are collected by the reader.
     *
     * @param job name, part of the consumer group
     */
    public static JobOptions read(OptionSet.Reader reader, String job) {
        return new JobOptions(
                KafkaOptions.kafka(reader),
                KafkaOptions.source(reader, job),
                reader.get(KafkaOptions.GUARANTEE).flink(),
                reader.get(KafkaOptions.BROKER_AWAY),
                reader.get(KafkaOptions.REPLICATION).shortValue());
    }
}
