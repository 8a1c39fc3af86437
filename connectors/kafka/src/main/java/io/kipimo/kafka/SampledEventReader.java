package io.kipimo.kafka;

import io.kipimo.schemas.codec.EventHead;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.SampledEvent;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads answers from the topic of answers, and partial results from any other topic. The append watermark of an event
 * is its {@link AppendTime} until {@link io.kipimo.operators.quality.PartitionTimes} sets it.
 */
final class SampledEventReader implements RecordReader<LoggedEvent> {
    private final String answersTopic;
    private final PresentBound present = new PresentBound(WallClock.SYSTEM);
    private transient EventScanner scanner;

    SampledEventReader(String answersTopic) {
        this.answersTopic = answersTopic;
    }

    /**
     * Returns the head of an event, read from its first bytes; null if only {@link #read} can tell whether the event is
     * usable.
     */
    EventHead head(ConsumerRecord<byte[], byte[]> entry) {
        return isAnswer(entry) ? scanner().answerHead(entry.value()) : scanner().partialHead(entry.value());
    }

    boolean isAnswer(ConsumerRecord<byte[], byte[]> entry) {
        return entry.topic().equals(answersTopic);
    }

    /** {@link AppendTime} of a record with this event time, epoch milliseconds. */
    long appendMillis(ConsumerRecord<byte[], byte[]> entry, long eventTimeMillis) {
        return AppendTime.millis(entry, eventTimeMillis, present);
    }

    private EventScanner scanner() {
        if (scanner == null) {
            scanner = new EventScanner();
        }
        return scanner;
    }

    @Override
    public LoggedEvent read(ConsumerRecord<byte[], byte[]> entry) throws InvalidRecordException {
        LoggedEvent event = isAnswer(entry)
                ? scanner().answer(entry.value(), entry.partition(), entry.offset())
                : scanner().partial(entry.value(), entry.partition(), entry.offset());
        event.place(SampledEvent.NO_LOG, appendMillis(entry, event.eventTimeMillis()), true);
        return event;
    }
}
