package io.kipimo.bench.streams;

import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.topics.Topic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Takes event time from the events, since the timestamps in the topics are those of the broker. It scans the bytes as
 * the product does, and decodes nothing.
 */
public final class EventTimes implements TimestampExtractor {
    private final EventScanner scanner = new EventScanner();
    private final String answersTopic = Topic.ANSWERS.name("");

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTimeMillis) {
        byte[] bytes = (byte[]) record.value();
        try {
            LoggedEvent event = record.topic().endsWith(answersTopic)
                    ? scanner.answer(bytes, record.partition(), record.offset())
                    : scanner.partial(bytes, record.partition(), record.offset());
            return event.eventTimeMillis();
        } catch (InvalidRecordException e) {
            throw new IllegalStateException("the workload has only good records", e);
        }
    }
}
