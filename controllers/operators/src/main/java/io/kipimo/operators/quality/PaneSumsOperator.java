package io.kipimo.operators.quality;

import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.core.quality.window.PaneSums;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Measurement;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Either;

/**
 * Adds up measurements ({@link PaneSums}) before they are shuffled, in the subtask that produces them. It emits its
 * sums before each watermark, before each checkpoint and at the end of the input. So it has no state, and windows get
 * the same input in event time as without it.
 */
final class PaneSumsOperator extends AbstractStreamOperator<Either<ClassPane, Observation>>
        implements OneInputStreamOperator<Measurement, Either<ClassPane, Observation>> {
    private transient PaneSums sums;
    private transient Isolation isolation;

    @Override
    public void open() throws Exception {
        super.open();
        isolation = new Isolation(getMetricGroup());
        sums = new PaneSums();
    }

    @Override
    public void processElement(StreamRecord<Measurement> element) throws Exception {
        Measurement measurement = element.getValue();
        isolation.run(measurement.service(), () -> sums.add(measurement));
        if (sums.isFull()) {
            emitSums();
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        emitSums();
        super.processWatermark(mark);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        emitSums();
    }

    @Override
    public void finish() throws Exception {
        emitSums();
        super.finish();
    }

    private void emitSums() {
        sums.drain(pane -> output.collect(new StreamRecord<>(Either.Left(pane))));
    }
}
