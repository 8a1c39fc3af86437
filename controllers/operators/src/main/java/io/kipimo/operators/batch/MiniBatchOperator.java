package io.kipimo.operators.batch;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Holds records of a fast stream for a short time and passes them on together, so that the sink behind it writes few
 * large requests. The time grows with the rate, from 0 for a slow stream to {@link #MOST_HOLD_MILLIS}. The linger time
 * of a Kafka producer is no substitute, because it delays slow streams as well. Small requests cost the broker more
 * processor time than the records in them.
 *
 * <p>Records keep their order and timestamps. The operator passes on all held records before each watermark, before
 * each checkpoint and at the end of the input, so it has no state.
 *
 * @param <T> type of the records, which is immutable
 */
public final class MiniBatchOperator<T> extends AbstractStreamOperator<T> implements OneInputStreamOperator<T, T> {
    /** Longest time that a record is held. */
    static final long MOST_HOLD_MILLIS = 20;

    /** Up to this rate, in records per second and subtask, records pass immediately. */
    static final double LEAST_PER_SECOND = 8_000;

    /** From this rate on, in records per second and subtask, records are held for the longest time. */
    static final double MOST_PER_SECOND = 40_000;

    /** Number of records over which the rate is measured while records pass immediately. */
    private static final int STRIDE = 256;

    private transient List<StreamRecord<T>> held;
    private transient long holdMillis;
    private transient int passed;
    private transient long sinceMillis;

    /** Puts the operator between {@code stream} and its sink, in the same task. */
    public static <T> SingleOutputStreamOperator<T> inFrontOf(String sink, DataStream<T> stream) {
        String name = sink + "-batches";
        return stream.transform(name, stream.getType(), new MiniBatchOperator<T>())
                .uid(name)
                .name(name);
    }

    /** Returns the milliseconds for which records of a stream with this rate are held. */
    static long holdMillis(double perSecond) {
        double share = (perSecond - LEAST_PER_SECOND) / (MOST_PER_SECOND - LEAST_PER_SECOND);
        return Math.round(MOST_HOLD_MILLIS * Math.max(0, Math.min(1, share)));
    }

    @Override
    public void open() throws Exception {
        super.open();
        held = new ArrayList<>();
        sinceMillis = now();
    }

    @Override
    public void processElement(StreamRecord<T> record) {
        if (holdMillis == 0) {
            output.collect(record);
            if (++passed == STRIDE) {
                adapt(passed);
            }
            return;
        }
        if (held.isEmpty()) {
            var unused = getProcessingTimeService().registerTimer(now() + holdMillis, time -> flush());
        }
        // The caller reuses its record.
        held.add(record.copy(record.getValue()));
    }

    private void flush() {
        if (held.isEmpty()) {
            return;
        }
        held.forEach(output::collect);
        adapt(held.size());
        held.clear();
    }

    private void adapt(int records) {
        long now = now();
        holdMillis = holdMillis(1e3 * records / Math.max(1, now - sinceMillis));
        sinceMillis = now;
        passed = 0;
    }

    private long now() {
        return getProcessingTimeService().getCurrentProcessingTime();
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        flush();
        super.processWatermark(mark);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        flush();
        super.prepareSnapshotPreBarrier(checkpointId);
    }

    @Override
    public void finish() throws Exception {
        flush();
        super.finish();
    }
}
