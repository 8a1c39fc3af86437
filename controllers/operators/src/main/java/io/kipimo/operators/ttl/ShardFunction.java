package io.kipimo.operators.ttl;

import io.kipimo.core.ttl.TtlTracking;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.metrics.ConservedCounters;
import io.kipimo.schemas.caching.TtlEstimate;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Processes the events of a shard in batches, one for each second of event time, when that second is complete. Topics
 * are not ordered relative to each other, but the effect of a change depends on the reads before it. So each batch is
 * sorted by time, and results are the same in every run. Late events are processed with the next second. A periodic
 * sweep forgets unused keys. Timers belong to shards, not to single keys.
 *
 * @param <E> type of the events
 * @param <T> type of the state of a key
 * @param <C> names of the counters
 */
abstract class ShardFunction<E extends ShardFunction.ShardEvent, T, C extends Enum<C>>
        extends KeyedProcessFunction<String, E, TtlUpdate> implements CheckpointedFunction {
    private static final long TICK_MILLIS = 1_000;

    /** An event of a shard. */
    interface ShardEvent {
        /** Event time, epoch milliseconds. */
        long atMillis();

        /** Kind of the event. Events of one millisecond are processed in the order of these constants. */
        Enum<?> kind();
    }

    /**
     * The counters of a function: all names, the name of their state, and the names for late events and forgotten keys.
     */
    record ShardCounting<C extends Enum<C>>(C[] all, String state, C late, C forgotten) implements Serializable {}

    private final TypeInformation<E> eventType;
    private final MapStateDescriptor<String, T> descriptor;
    private final ShardCounting<C> counting;
    private final TtlFlowSettings settings;
    transient TtlTracking tracking;
    transient MapState<String, T> known;
    transient ConservedCounters<C> counts;
    private transient ListState<E> waiting;
    private transient ValueState<Long> nextSweep;
    private transient Isolation isolation;

    ShardFunction(
            TypeInformation<E> eventType,
            MapStateDescriptor<String, T> descriptor,
            ShardCounting<C> counting,
            TtlFlowSettings settings) {
        this.eventType = eventType;
        this.descriptor = descriptor;
        this.counting = counting;
        this.settings = settings;
    }

    /** Processes a batch of events, which are sorted by time and kind. */
    abstract void advance(List<E> events, OnTimerContext ctx, Collector<TtlUpdate> out) throws Exception;

    abstract boolean isForgotten(T tracked, long nowMillis);

    /** Returns the last estimate of a key that is not read any more; empty if none was published. */
    abstract Optional<TtlEstimate> last(String service, String table, String key, T tracked, long nowMillis);

    /** Clears all state of a shard after its last key was forgotten. */
    void clear() {}

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        counts = new ConservedCounters<>(counting.all());
        counts.initialize(context, counting.state());
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        counts.snapshot();
    }

    @Override
    public void open(OpenContext context) throws Exception {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        tracking = settings.tracking();
        known = getRuntimeContext().getMapState(descriptor);
        waiting = getRuntimeContext().getListState(new ListStateDescriptor<>("waiting", eventType));
        nextSweep = getRuntimeContext().getState(new ValueStateDescriptor<>("next-sweep", Types.LONG));
        counts.register(getRuntimeContext().getMetricGroup().addGroup(TtlMetrics.GROUP));
    }

    @Override
    public void processElement(E event, Context ctx, Collector<TtlUpdate> out) throws Exception {
        waiting.add(event);
        long watermark = ctx.timerService().currentWatermark();
        if (event.atMillis() <= watermark) {
            counts.increment(counting.late());
        }
        ctx.timerService().registerEventTimeTimer(endOfTick(Math.max(event.atMillis(), watermark + 1)));
    }

    /** Last millisecond of the second of {@code millis}. */
    private static long endOfTick(long millis) {
        return Math.floorDiv(millis, TICK_MILLIS) * TICK_MILLIS + TICK_MILLIS - 1;
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<TtlUpdate> out) throws Exception {
        List<E> due = new ArrayList<>();
        List<E> early = new ArrayList<>();
        for (E event : waiting.get()) {
            (event.atMillis() <= timestamp ? due : early).add(event);
        }
        if (!due.isEmpty()) {
            due.sort(Comparator.comparingLong(ShardEvent::atMillis)
                    .thenComparingInt(event -> event.kind().ordinal()));
            waiting.update(early);
            isolation.run(ctx.getCurrentKey(), () -> advance(due, ctx, out));
        }
        Long sweep = nextSweep.value();
        if (sweep == null) {
            scheduleSweep(timestamp, ctx.timerService());
        } else if (timestamp >= sweep) {
            // Scheduled first: a sweep that fails is tried again.
            scheduleSweep(timestamp, ctx.timerService());
            isolation.run(ctx.getCurrentKey(), () -> {
                if (!sweep(timestamp, ctx, out) && early.isEmpty()) {
                    ctx.timerService().deleteEventTimeTimer(nextSweep.value());
                    waiting.clear();
                    nextSweep.clear();
                }
            });
        }
    }

    private void scheduleSweep(long nowMillis, TimerService timers) throws Exception {
        long next = endOfTick(nowMillis + Math.max(TICK_MILLIS, settings.ttls().forgetAfterMillis() / 4));
        nextSweep.update(next);
        timers.registerEventTimeTimer(next);
    }

    /** Forgets keys that are not read any more. Returns whether keys are left. */
    private boolean sweep(long nowMillis, OnTimerContext ctx, Collector<TtlUpdate> out) throws Exception {
        String[] scope = ctx.getCurrentKey().split("/", -1);
        List<String> forgotten = new ArrayList<>();
        boolean isSomethingLeft = false;
        for (Map.Entry<String, T> entry : known.entries()) {
            if (!isForgotten(entry.getValue(), nowMillis)) {
                isSomethingLeft = true;
                continue;
            }
            forgotten.add(entry.getKey());
            last(scope[0], scope[1], entry.getKey(), entry.getValue(), nowMillis)
                    .ifPresent(estimate -> {
                        counts.increment(counting.forgotten());
                        out.collect(new TtlUpdate(estimate, true));
                    });
        }
        for (String key : forgotten) {
            known.remove(key);
        }
        if (!isSomethingLeft) {
            clear();
        }
        return isSomethingLeft;
    }
}
