package io.kipimo.operators.ttl;

import io.kipimo.core.ttl.CachingPane;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.schemas.caching.CachingWindow;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Merges panes into the windows of a table. Drops and counts panes that arrive after their window's end. */
final class CachingWindowFunction extends KeyedProcessFunction<String, TablePane, CachingWindow> {
    private final long windowMillis;
    private transient MapState<Long, CachingPane> windows;
    private transient TtlMetrics metrics;
    private transient Counter latePanes;
    private transient Isolation isolation;

    CachingWindowFunction(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    @Override
    public void open(OpenContext context) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        windows = getRuntimeContext()
                .getMapState(new MapStateDescriptor<>("windows", Types.LONG, TtlFormats.CACHING_PANE.typeInfo()));
        metrics = new TtlMetrics(getRuntimeContext().getMetricGroup());
        latePanes =
                getRuntimeContext().getMetricGroup().addGroup(TtlMetrics.GROUP).counter("lateCachingPanes");
    }

    @Override
    public void processElement(TablePane pane, Context ctx, Collector<CachingWindow> out) throws Exception {
        isolation.run(ctx.getCurrentKey(), () -> add(pane, ctx, out));
    }

    private void add(TablePane pane, Context ctx, Collector<CachingWindow> out) throws Exception {
        long last = pane.startMillis() + windowMillis - 1;
        if (last <= ctx.timerService().currentWatermark()) {
            latePanes.inc();
            return;
        }
        CachingPane sum = windows.get(pane.startMillis());
        if (sum == null) {
            sum = new CachingPane();
            ctx.timerService().registerEventTimeTimer(last);
        }
        sum.merge(pane.pane());
        windows.put(pane.startMillis(), sum);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<CachingWindow> out) throws Exception {
        isolation.run(ctx.getCurrentKey(), () -> close(timestamp, ctx, out));
    }

    private void close(long timestamp, OnTimerContext ctx, Collector<CachingWindow> out) throws Exception {
        long start = timestamp + 1 - windowMillis;
        CachingPane pane = windows.get(start);
        if (pane == null) {
            return;
        }
        windows.remove(start);
        String scope = ctx.getCurrentKey();
        int slash = scope.indexOf('/');
        CachingWindow window = pane.window(scope.substring(0, slash), scope.substring(slash + 1), start, timestamp + 1);
        metrics.ended(window);
        out.collect(window);
    }
}
