package io.kipimo.kafka;

import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.quality.PartitionTimes;
import io.kipimo.schemas.codec.LoggedEvent;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;

/** States in every event how far its partition had come. */
final class EventSplitter extends DeadLetterSplitter<LoggedEvent> {
    private final PartitionTime.Tolerance tolerance;
    private transient PartitionTimes times;

    EventSplitter(long flushAfterMillis, PartitionTime.Tolerance tolerance) {
        super(flushAfterMillis);
        this.tolerance = tolerance;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        times = new PartitionTimes(tolerance);
        times.initialize(context.getOperatorStateStore());
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        times.snapshot();
    }

    @Override
    LoggedEvent asOf(LoggedEvent event, long provenMillis) {
        times.place(event);
        return event;
    }
}
