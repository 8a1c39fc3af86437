package io.kipimo.kafka;

import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Counts how many of the newest answers and partial results writers have put outside the partition of their query's id
 * ({@link KafkaPartitions}), where a join without a shuffle needs them. It looks at the newest records of each
 * partition. It ignores records that the job wrote again, and records that cannot be read, since they say nothing about
 * the writers.
 *
 * @param partitions number of partitions of each topic
 * @param answers number of answers that were counted
 * @param partials number of partial results that were counted
 * @param strays number of these answers and partial results that are in another partition
 * @param stray place and writer of one stray record; empty: none
 */
public record WriterPlaces(int partitions, long answers, long partials, long strays, String stray) {
    /** Greatest number of records that are read from a partition. */
    private static final int NEWEST = 100;

    /**
     * Fewest records of a topic that count as evidence. With two partitions, a writer that chose partitions at random
     * would pass once in a million times.
     */
    private static final int FEWEST = 20;

    /**
     * Reads the newest records of both topics, and counts them.
     *
     * @param partitions number of partitions of each topic, at least 1
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static WriterPlaces read(KafkaSettings kafka, int partitions) {
        TopicReading answers = new TopicReading(kafka.name(Topic.ANSWERS), partitions);
        TopicReading partials = new TopicReading(kafka.name(Topic.ANSWERS), partitions);
        TopicReader.readNewest(kafka, Topic.ANSWERS, NEWEST, answers::take);
        TopicReader.readNewest(kafka, Topic.PARTIALS, NEWEST, partials::take);
        return new WriterPlaces(
                partitions,
                answers.records,
                partials.records,
                answers.strays + partials.strays,
                answers.stray.isEmpty() ? partials.stray : answers.stray);
    }

    /** Returns why the records do not show that all writers choose the right partition; empty if they show it. */
    public Optional<String> doubt() {
        if (strays > 0) {
            return Optional.of(("%s of the %s newest answers and partial results are not in the partition of their "
                            + "query's id (its murmur2 hash modulo %s), such as %s")
                    .formatted(strays, answers + partials, partitions, stray));
        }
        return answers < FEWEST || partials < FEWEST
                ? Optional.of("only %d answers and %d partial results show which partitions writers choose"
                                .formatted(answers, partials)
                        + ", and %d of each are needed".formatted(FEWEST))
                : Optional.empty();
    }

    /** Returns a text that says what the records show if there is no {@link #doubt}. */
    public String evidence() {
        return "the newest %d answers and %d partial results are in the partitions of their"
                        .formatted(answers, partials)
                + " queries' ids";
    }

    /** Counts of the records that were read from a topic so far. */
    private static final class TopicReading {
        private final SampledEventReader reader;
        private final KafkaPartitions partitions;
        private long records;
        private long strays;
        private String stray = "";

        TopicReading(String answersTopic, int partitions) {
            this.reader = new SampledEventReader(answersTopic);
            this.partitions = new KafkaPartitions(partitions);
        }

        void take(ConsumerRecord<byte[], byte[]> entry) {
            if (entry.value() == null || entry.headers().lastHeader(JoinInputDeserializationSchema.REWRITTEN) != null) {
                return;
            }
            LoggedEvent event;
            try {
                event = reader.read(entry);
            } catch (InvalidRecordException e) {
                // The job makes a dead letter of it.
                return;
            }
            records++;
            if (partitions.partitionOf(event.key()) != entry.partition()) {
                strays++;
                stray = "%s-%d offset %d of service '%s'%s"
                        .formatted(
                                entry.topic(),
                                entry.partition(),
                                entry.offset(),
                                event.key().service(),
                                event.isAnswer() ? "" : ", component '" + event.component() + "'");
            }
        }
    }
}
