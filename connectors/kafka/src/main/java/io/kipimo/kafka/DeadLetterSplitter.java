package io.kipimo.kafka;

import io.kipimo.schemas.deadletter.DeadLetter;
import org.apache.flink.runtime.io.network.api.writer.ResultPartitionWriter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.types.Either;

/**
 * Sends records on and dead letters aside, and counts both; chained to its source.
 *
 * <p>It also has its task send what it wrote, a while after the first of it. Flink has a thread at
 * each output for that, which wakes up hundreds of times a second whether there is anything or not;
 * here a timer is set when something comes. An operator, not a process function: only that is told
 * of watermarks, and reaches the outputs of its task.
 */
class DeadLetterSplitter<T> extends AbstractStreamOperator<T>
        implements OneInputStreamOperator<Either<DeadLetter, T>, T> {
    private static final long serialVersionUID = 1L;

    private final long flushAfterMillis;
    private transient SourceMetrics counts;
    private transient boolean isFlushing;

    /**
     * @param flushAfterMillis what is written waits for so long at most; 0 or less: others see to
     *     it
     */
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
            counts.letIn();
            output.collect(element.replace(asOf(found.right(), element.getTimestamp())));
        } else {
            counts.reject(found.left().reason());
            output.collect(KafkaSources.DEAD_LETTERS, element.replace(found.left()));
        }
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

    private void flushSoon() {
        if (isFlushing || flushAfterMillis <= 0) {
            return;
        }
        isFlushing = true;
        long now = getProcessingTimeService().getCurrentProcessingTime();
        var unused =
                getProcessingTimeService()
                        .registerTimer(now + flushAfterMillis, atMillis -> flush());
    }

    private void flush() {
        isFlushing = false;
        for (ResultPartitionWriter writer : getContainingTask().getEnvironment().getAllWriters()) {
            writer.flushAll();
        }
    }

    /**
     * The record as it goes on.
     *
     * @param provenMillis what its log proves of its time
     */
    T asOf(T record, long provenMillis) {
        return record;
    }
}
