package io.kipimo.kafka;

import io.kipimo.operators.metrics.SourceMetrics;
import io.kipimo.schemas.deadletter.DeadLetter;
import org.apache.flink.runtime.io.network.api.writer.ResultPartitionWriter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.types.Either;

/**
 * Forwards records, sends dead letters to a side output, and counts both. It is chained to its source.
 *
 * <p>It also flushes its task's output buffers, by a timer that the first record after a flush sets. Flink's own
 * flusher is a thread for each output, which wakes up hundreds of times a second even without records. The splitter is
 * an operator rather than a process function, because only operators see watermarks and reach their task's outputs.
 */
class DeadLetterSplitter<T> extends AbstractStreamOperator<T>
        implements OneInputStreamOperator<Either<DeadLetter, T>, T> {
    private final long flushAfterMillis;
    private transient SourceMetrics counts;
    private transient boolean isFlushing;

    /** @param flushAfterMillis longest time that output stays in buffers; 0 or less: this operator does not flush */
    DeadLetterSplitter(long flushAfterMillis) {
        this.flushAfterMillis = flushAfterMillis;
    }

    @Override
    public void open() throws Exception {
        super.open();
        counts = new SourceMetrics(getMetricGroup());
    }

    @Override
    public void processElement(StreamRecord<Either<DeadLetter, T>> element) {
        Either<DeadLetter, T> found = element.getValue();
        if (found.isRight()) {
            letIn(element, asOf(found.right(), element.getTimestamp()));
        } else {
            reject(element, found.left());
        }
    }

    /** Counts an accepted record, and forwards it in place of the element that was read. */
    final void letIn(StreamRecord<?> element, T record) {
        countLetIn();
        forward(element, record);
    }

    final void forward(StreamRecord<?> element, T record) {
        output.collect(element.replace(record));
        flushSoon();
    }

    final void countLetIn() {
        counts.letIn();
    }

    final void reject(StreamRecord<?> element, DeadLetter letter) {
        counts.reject(letter.reason());
        output.collect(KafkaSources.DEAD_LETTERS, element.replace(letter));
        flushSoon();
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        super.processWatermark(mark);
        flushSoon();
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        super.processWatermarkStatus(status);
        flushSoon();
    }

    final void flushSoon() {
        if (isFlushing || flushAfterMillis <= 0) {
            return;
        }
        isFlushing = true;
        long now = getProcessingTimeService().getCurrentProcessingTime();
        var unused = getProcessingTimeService().registerTimer(now + flushAfterMillis, atMillis -> flush());
    }

    private void flush() {
        isFlushing = false;
        for (ResultPartitionWriter writer : getContainingTask().getEnvironment().getAllWriters()) {
            writer.flushAll();
        }
    }

    /**
     * Returns the record to forward for a record that was read.
     *
     * @param provenMillis event time as bounded by the topic's append time, epoch milliseconds
     */
    T asOf(T record, long provenMillis) {
        return record;
    }
}
