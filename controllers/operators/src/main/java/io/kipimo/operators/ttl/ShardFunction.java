package io.kipimo.operators.ttl;

import io.kipimo.operators.isolation.Isolation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Processes the events of a shard in the order of their times, each time a second of event time is complete. Topics are
 * not ordered relative to each other, and the effect of a change depends on the reads before it; so results are the
 * same in every run. Late events are processed with the next second. A periodic sweep forgets unused keys. Each shard
 * has its timers, instead of each key.
 *
 * @param <E> event
 */
abstract class ShardFunction<E> extends KeyedProcessFunction<String, E, TtlUpdate> {
    private static final long serialVersionUID = 1L;

    private static final long TICK_MILLIS = 1_000;

    private final TypeInformation<E> eventType;
    private final long sweepMillis;
    private transient ListState<E> waiting;
    private transient ValueState<Long> nextSweep;
    private transient Isolation isolation;

    ShardFunction(TypeInformation<E> eventType, TtlFlowSettings settings) {
        this.eventType = eventType;
        this.sweepMillis = Math.max(TICK_MILLIS, settings.ttls().forgetAfterMillis() / 4);
    }

    abstract long atMillis(E event);

    /** Rank of an event among events of one millisecond. */
    abstract int order(E event);

    /** Counts a late event. */
    abstract void late();

    /** Processes events in their order. */
    abstract void advance(List<E> events, OnTimerContext ctx, Collector<TtlUpdate> out) throws Exception;

    /** Forgets keys that are not read any more. Returns whether keys are left. */
    abstract boolean sweep(long nowMillis, OnTimerContext ctx, Collector<TtlUpdate> out) throws Exception;

    @Override
    public void open(OpenContext context) throws Exception {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        waiting = getRuntimeContext().getListState(new ListStateDescriptor<>("waiting", eventType));
        nextSweep = getRuntimeContext().getState(new ValueStateDescriptor<>("next-sweep", Types.LONG));
    }

    @Override
    public void processElement(E event, Context ctx, Collector<TtlUpdate> out) throws Exception {
        waiting.add(event);
        long watermark = ctx.timerService().currentWatermark();
        if (atMillis(event) <= watermark) {
            late();
        }
        ctx.timerService().registerEventTimeTimer(endOfTick(Math.max(atMillis(event), watermark + 1)));
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
            (atMillis(event) <= timestamp ? due : early).add(event);
        }
        if (!due.isEmpty()) {
            due.sort(Comparator.comparingLong(this::atMillis).thenComparingInt(this::order));
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
        long next = endOfTick(nowMillis + sweepMillis);
        nextSweep.update(next);
        timers.registerEventTimeTimer(next);
    }
}
