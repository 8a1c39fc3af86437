package io.kipimo.jobs.options;

import io.kipimo.kafka.SourceSettings;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import org.apache.flink.connector.base.DeliveryGuarantee;

/**
 * Options of every job.
 *
 * @param guarantee of facts; decisions are always at-least-once
 * @param topicReplication of missing topics, which the job creates; 0: the broker's default
 */
public record JobOptions(
        KafkaSettings kafka,
        SourceSettings source,
        DeliveryGuarantee guarantee,
        KafkaOptions.BrokerAway brokerAway,
        short topicReplication) {

    /**
     * Prefix of transactional ids. Brokers fence the older of two producers with one id, so jobs and installations that
     * share brokers need different prefixes.
     */
    public String transactionalIdPrefix(Topic topic) {
        return source.groupId() + '-' + kafka.name(topic);
    }

    /**
     * Reads the common options and reports problems to the reader.
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
