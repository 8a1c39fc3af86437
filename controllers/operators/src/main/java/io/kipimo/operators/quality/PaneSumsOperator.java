package io.kipimo.operators.quality;

import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.core.quality.window.PaneSums;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Measurement;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Either;

/**
 * Runs {@link PaneSums} where the measurements are made, before they are shuffled. What it holds
 * goes on before a watermark, a checkpoint or the end does, so it has no state, and windows see in
 * event time what they would see without it.
 */
final class PaneSumsOperator extends AbstractStreamOperator<Either<ClassPane, Observation>>
        implements OneInputStreamOperator<Measurement, Either<ClassPane, Observation>> {
    private static final long serialVersionUID = 1L;

    private transient PaneSums sums;

    @Override
    public void open() throws Exception {
        super.open();
        sums = new PaneSums();
    }

    @Override
    public void processElement(StreamRecord<Measurement> element) {
        sums.add(element.getValue());
        if (sums.isFull()) {
            sendOn();
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        sendOn();
        super.processWatermark(mark);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        sendOn();
    }

    @Override
    public void finish() throws Exception {
        sendOn();
        super.finish();
    }

    private void sendOn() {
        sums.drain(pane -> output.collect(new StreamRecord<>(Either.Left(pane))));
    }
}
