package io.kipimo.kafka;

import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.quality.DeferredEvent;
import io.kipimo.operators.quality.FeedTime;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.operators.quality.PartitionKeys;
import io.kipimo.operators.quality.PartitionTimes;
import io.kipimo.operators.quality.PolicyInput;
import io.kipimo.operators.quality.RewrittenInput;
import io.kipimo.operators.quality.UnreadEvent;
import io.kipimo.schemas.codec.EventHead;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.quality.JoinInput;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.types.Either;

/**
 * Operator between the source of a join and the join, in the task of the source. It records in every event the time
 * that the event's partition had reached ({@link PartitionTimes}), and keeps these times for the partitions that its
 * subtask owns. It drops the event times of observations, because watermarks already reflect them. If a shuffle leads
 * to the join, it sends {@link FeedTime}s instead of watermarks.
 */
final class JoinFeed extends DeadLetterSplitter<JoinInput> {
    private final LogPartitions partitions;
    private final PartitionTime.Tolerance tolerance;
    private final boolean isShuffled;
    private transient PartitionTimes times;

    /** Keys to which policies are sent. */
    private transient int[] policyKeys;

    /** Keys to which this subtask's event time is sent. */
    private transient int[] timeKeys;

    private transient int subtask;
    private transient int subtasks;
    private transient long reachedMillis;
    private transient boolean isIdle;

    /** @param isShuffled whether a shuffle leads to the join; otherwise the join is in the same task */
    JoinFeed(long flushAfterMillis, LogPartitions partitions, PartitionTime.Tolerance tolerance, boolean isShuffled) {
        super(flushAfterMillis);
        this.partitions = partitions;
        this.tolerance = tolerance;
        this.isShuffled = isShuffled;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        PartitionKeys keys = new PartitionKeys(partitions, getRuntimeContext().getTaskInfo());
        policyKeys = isShuffled ? keys.ownFirst().toArray() : new int[] {keys.address()};
        timeKeys = keys.allFirst();
        subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        reachedMillis = Long.MIN_VALUE;
        isIdle = false;
        times = new PartitionTimes(tolerance);
        times.initialize(context.getKeyedStateStore(), keys, this::setCurrentKey);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        times.snapshot();
    }

    /** Sets no key, since inputs have none. */
    @Override
    @SuppressWarnings("rawtypes") // As Flink declares it.
    public void setKeyContextElement1(StreamRecord element) {}

    @Override
    public void processElement(StreamRecord<Either<DeadLetter, JoinInput>> element) {
        Either<DeadLetter, JoinInput> found = element.getValue();
        if (found.isLeft()) {
            reject(element, found.left());
        } else if (found.right() instanceof LoggedEvent event) {
            times.place(event);
            letIn(element, event);
        } else if (found.right() instanceof UnreadEvent unread) {
            forward(element, new UnplacedEvent(unread, element.getTimestamp()));
        } else if (found.right() instanceof RewrittenInput rewritten) {
            letIn(element, rewritten.event());
        } else if (found.right() instanceof PolicyInput input) {
            for (int key : policyKeys) {
                forward(element, new PolicyInput(input.policy(), key));
            }
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (isShuffled) {
            reachedMillis = mark.getTimestamp();
            tellTime();
        } else {
            super.processWatermark(mark);
        }
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        if (isShuffled) {
            isIdle = status.isIdle();
            tellTime();
        } else {
            super.processWatermarkStatus(status);
        }
    }

    private void tellTime() {
        for (int key : timeKeys) {
            output.collect(new StreamRecord<>(new FeedTime(subtask, subtasks, reachedMillis, isIdle, key)));
        }
        flushSoon();
    }

    /**
     * An event with only its head read. It is placed in {@link PartitionTimes} when the join reads it or leaves it out,
     * in the order of its partition.
     */
    private final class UnplacedEvent implements DeferredEvent {
        private final UnreadEvent unread;
        private final long stampMillis;

        UnplacedEvent(UnreadEvent unread, long stampMillis) {
            this.unread = unread;
            this.stampMillis = stampMillis;
        }

        @Override
        public EventHead head() {
            return unread.head();
        }

        @Override
        public int partition() {
            return unread.partition();
        }

        @Override
        public long behindMillis() {
            return unread.behindMillis();
        }

        @Override
        public LoggedEvent read() {
            Either<DeadLetter, JoinInput> whole = unread.rest().get();
            if (whole.isLeft()) {
                reject(new StreamRecord<>(whole, stampMillis), whole.left());
                return null;
            }
            LoggedEvent event = (LoggedEvent) whole.right();
            times.place(event);
            countLetIn();
            return event;
        }

        @Override
        public long leaveOut() {
            times.pass(unread);
            countLetIn();
            return times.reachedMillis(unread.partition());
        }
    }
}
