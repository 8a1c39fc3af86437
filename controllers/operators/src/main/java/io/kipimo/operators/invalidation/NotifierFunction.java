package io.kipimo.operators.invalidation;

import io.kipimo.operators.invalidation.InvalidationMetrics.Count;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Numbers notifications without gaps, keyed by partition of their topic, and tells how far the
 * partition is complete.
 *
 * <p>After a failover writes come again, and perhaps in another order, since several cells are
 * merged. Numbering them anew would give a number that a reader has taken to a notification that he
 * has not. So a new writer reads back what the log holds since the checkpoint, goes on after it,
 * and passes over what is there already: the log has each notification once, though none waits for
 * a transaction. What a former writer that is taken for dead still sends has a lower epoch, and
 * readers pass over it ({@link NotificationLog}).
 *
 * <p>A write that is later than {@code source.out-of-orderness}, and one that is replayed for a new
 * query, may be told after the frontier has passed it.
 */
final class NotifierFunction extends KeyedProcessFunction<Integer, Notification, Notification> {
    private static final long serialVersionUID = 1L;

    /** Later than all event times. */
    private static final long NOTHING_TO_COME = Long.MAX_VALUE;

    private final NotificationLog log;
    private final InvalidationSettings settings;
    private transient ValueState<long[]> place;
    private transient MapState<String, Boolean> sent;
    private transient Map<Integer, Long> epochs;
    private transient InvalidationMetrics metrics;

    NotifierFunction(NotificationLog log, InvalidationSettings settings) {
        this.log = log;
        this.settings = settings;
    }

    /** The next sequence, and until which event time what was sent before a failover may come. */
    static ValueStateDescriptor<long[]> placeDescriptor() {
        return new ValueStateDescriptor<>(
                "place", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO);
    }

    /** Identities in the log that have not come again yet. */
    static MapStateDescriptor<String, Boolean> sentDescriptor() {
        return new MapStateDescriptor<>("sent-before", Types.STRING, Types.BOOLEAN);
    }

    @Override
    public void open(OpenContext context) {
        place = getRuntimeContext().getState(placeDescriptor());
        sent = getRuntimeContext().getMapState(sentDescriptor());
        epochs = new HashMap<>();
        metrics = new InvalidationMetrics(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement(Notification notification, Context ctx, Collector<Notification> out)
            throws Exception {
        int partition = InvalidationFlow.partition(notification, settings.partitions());
        Long epoch = epochs.get(ctx.getCurrentKey());
        if (epoch == null) {
            epoch = takeOver(partition);
            epochs.put(ctx.getCurrentKey(), epoch);
        }
        long[] held = place.value();
        long watermark = ctx.timerService().currentWatermark();
        if (held[1] < NOTHING_TO_COME) {
            if (watermark > held[1]) {
                sent.clear();
                held = new long[] {held[0], NOTHING_TO_COME};
            } else if (sent.contains(notification.identity())) {
                sent.remove(notification.identity());
                metrics.count(Count.REPEATED_NOTIFICATIONS);
                return;
            }
        }
        out.collect(
                notification.numbered(
                        partition, held[0], epoch, Math.max(0, Math.max(watermark, -1) + 1)));
        metrics.count(Count.NOTIFICATIONS);
        place.update(new long[] {held[0] + 1, held[1]});
    }

    private long takeOver(int partition) throws Exception {
        long[] held = place.value();
        NotificationLog.Resumption resumption =
                log.resume(
                        partition, held == null ? OptionalLong.empty() : OptionalLong.of(held[0]));
        for (String identity : resumption.sent()) {
            sent.put(identity, true);
        }
        boolean wasWaiting = held != null && held[1] < NOTHING_TO_COME;
        long until =
                resumption.sent().isEmpty()
                        ? (wasWaiting ? held[1] : NOTHING_TO_COME)
                        : Math.max(
                                wasWaiting ? held[1] : 0,
                                resumption.latestMillis() + settings.replayMillis());
        place.update(new long[] {resumption.next(), until});
        return resumption.epoch();
    }
}
