package io.kipimo.operators.invalidation;

import io.kipimo.operators.flink.KeyGroups;
import io.kipimo.operators.invalidation.InvalidationMetrics.Count;
import io.kipimo.schemas.caching.Invalidation;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Numbers the notifications of each partition of their topic without gaps, and publishes the partition's frontier: the
 * time before which all its notifications were sent, except late ones. Each notification carries the frontier. If the
 * frontier advances by a second of event time without a notification, a mark carries it.
 *
 * <p>After a failover, writes are read again, possibly in another order, since several cells are merged. If their
 * notifications were numbered anew, one could get a number that a reader has already seen, and the reader would miss
 * it. So a new writer reads the log from the checkpoint on, continues after its last number, and drops notifications
 * that are already there. The log has each notification once, and no reader waits for transactions. A former writer may
 * still send notifications. They have a lower epoch, so readers skip them ({@link NotificationLog}).
 *
 * <p>The published frontier never goes back, even if a new writer starts with an older watermark. A write that is later
 * than {@code source.out-of-orderness}, or is replayed for a new query, may cause a notification after the frontier has
 * passed it. {@link Invalidation#isLate} is true then.
 *
 * <p>It is an operator instead of a process function because it handles every watermark, also for partitions without
 * notifications.
 */
final class NotifierOperator extends AbstractStreamOperator<Notification>
        implements OneInputStreamOperator<Notification, Notification> {
    /** Later than all event times: no repeated notifications are expected any more. */
    private static final long NOTHING_TO_COME = Long.MAX_VALUE;

    private static final long MARK_EVERY_MILLIS = 1_000;

    private final NotificationLog log;
    private final InvalidationSettings settings;
    private transient ValueState<long[]> place;
    private transient MapState<String, Boolean> sent;
    // Partitions of this subtask, by key.
    private transient Map<Integer, Integer> partitions;
    private transient Map<Integer, Long> epochs;
    private transient InvalidationMetrics counts;
    private transient NotifierGauges gauges;
    private transient long watermark;

    NotifierOperator(NotificationLog log, InvalidationSettings settings) {
        this.log = log;
        this.settings = settings;
    }

    /**
     * State with three values: the next sequence number; the event time until which notifications from before a
     * failover may be repeated; the time before which the partition was announced as complete.
     */
    static ValueStateDescriptor<long[]> placeDescriptor() {
        return new ValueStateDescriptor<>("place", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO);
    }

    /** State: identities of notifications that the log had at the takeover and that have not been repeated since. */
    static MapStateDescriptor<String, Boolean> sentDescriptor() {
        return new MapStateDescriptor<>("sent-before", Types.STRING, Types.BOOLEAN);
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        place = context.getKeyedStateStore().getState(placeDescriptor());
        sent = context.getKeyedStateStore().getMapState(sentDescriptor());
    }

    @Override
    public void open() throws Exception {
        super.open();
        epochs = new HashMap<>();
        watermark = -1;
        partitions = new TreeMap<>();
        SpreadKeys keys = SpreadKeys.of(settings.partitions());
        TaskInfo task = getRuntimeContext().getTaskInfo();
        for (int partition = 0; partition < settings.partitions(); partition++) {
            int key = keys.key(partition);
            if (KeyGroups.isOwned(key, task)) {
                partitions.put(key, partition);
            }
        }
        counts = new InvalidationMetrics(getMetricGroup());
        gauges = new NotifierGauges(getMetricGroup().addGroup(InvalidationMetrics.GROUP), getProcessingTimeService());
    }

    @Override
    public void processElement(StreamRecord<Notification> element) throws Exception {
        Notification notification = element.getValue();
        long[] held = takenOver((Integer) getCurrentKey());
        if (held[1] < NOTHING_TO_COME) {
            if (watermark > held[1]) {
                sent.clear();
                held = new long[] {held[0], NOTHING_TO_COME, held[2]};
            } else if (sent.contains(notification.identity())) {
                sent.remove(notification.identity());
                counts.count(Count.REPEATED_NOTIFICATIONS);
                return;
            }
        }
        emit(notification, held, Math.max(held[2], watermark + 1));
        counts.count(Count.NOTIFICATIONS);
        gauges.onPublished(notification.invalidation().writtenMillis());
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        // The last watermark of a finite job is not a time.
        if (mark.getTimestamp() > watermark && mark.getTimestamp() < Long.MAX_VALUE) {
            watermark = mark.getTimestamp();
            for (Integer key : partitions.keySet()) {
                setCurrentKey(key);
                long[] held = takenOver(key);
                if (watermark + 1 - held[2] >= MARK_EVERY_MILLIS) {
                    emit(Notification.mark(watermark + 1), held, watermark + 1);
                }
            }
            gauges.completeBefore(watermark + 1);
        }
        super.processWatermark(mark);
    }

    private void emit(Notification notification, long[] held, long completeBefore) throws Exception {
        Integer key = (Integer) getCurrentKey();
        output.collect(new StreamRecord<>(
                notification.numbered(partitions.get(key), held[0], epochs.get(key), completeBefore),
                notification.invalidation().writtenMillis()));
        place.update(new long[] {held[0] + 1, held[1], completeBefore});
    }

    /** Returns the state of a partition. Takes the partition over first if this subtask has not done so yet. */
    private long[] takenOver(Integer key) throws Exception {
        if (!epochs.containsKey(key)) {
            epochs.put(key, takeOver(partitions.get(key)));
        }
        return place.value();
    }

    private long takeOver(int partition) throws Exception {
        long[] held = place.value();
        NotificationLog.Resumption resumption =
                log.resume(partition, held == null ? OptionalLong.empty() : OptionalLong.of(held[0]));
        for (String identity : resumption.sent()) {
            sent.put(identity, true);
        }
        boolean wasWaiting = held != null && held[1] < NOTHING_TO_COME;
        long until = resumption.sent().isEmpty()
                ? (wasWaiting ? held[1] : NOTHING_TO_COME)
                : Math.max(wasWaiting ? held[1] : 0, resumption.latestMillis() + settings.replayMillis());
        place.update(new long[] {
            resumption.next(), until, Math.max(held == null ? 0 : held[2], resumption.completeBeforeMillis())
        });
        return resumption.epoch();
    }
}
