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
 * large requests. The time grows with the rate, from 0 for a slow stream to {@link #MOST_HOLD_MILLIS}. A linger of the
 * producer cannot do that. It delays all records in the same way, and small requests cost the broker more processor
 * time than the records in them.
 *
 * <p>Order and timestamps stay. Watermarks, checkpoints and the end of the input flush, so the operator has no state.
 *
 * @param <T> immutable
 */
public final class MiniBatchOperator<T> extends AbstractStreamOperator<T> implements OneInputStreamOperator<T, T> {
    /** Longest time that a record is held. */
    static final long MOST_HOLD_MILLIS = 20;

    /** Up to this rate in a subtask, records pass immediately. */
    static final double LEAST_PER_SECOND = 8_000;

    /** From this rate on, records are held for the longest time. */
    static final double MOST_PER_SECOND = 40_000;

    /** The rate of records that pass is measured over this number. */
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

    /** How long to hold records of a stream with this rate, milliseconds. */
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
