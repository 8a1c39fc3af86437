package io.kipimo.operators.tails;

import io.kipimo.core.tails.ScopeWindows;
import io.kipimo.core.tails.TailScope;
import io.kipimo.core.tails.TailSpans;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import java.util.OptionalLong;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Merges the panes of the level below into the windows of a scope ({@link ScopeWindows}), keyed by scope: a component,
 * a tier, a service, or a tier as its arbiters see it. Panes arrive before the watermark that ends their window, so
 * they are never late.
 */
final class ScopeTailsFunction extends KeyedProcessFunction<String, ScopePane, TailWindow> {
    private final TailsSettings settings;
    private transient TailSpans spans;
    private transient ValueState<ScopeWindows> state;
    private transient TailsMetrics metrics;
    private transient Isolation isolation;

    ScopeTailsFunction(TailsSettings settings) {
        this.settings = settings;
    }

    static ValueStateDescriptor<ScopeWindows> stateDescriptor() {
        return new ValueStateDescriptor<>("scope-windows", TailsFormats.SCOPE_WINDOWS.typeInfo());
    }

    @Override
    public void open(OpenContext context) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        spans = settings.spans();
        state = getRuntimeContext().getState(stateDescriptor());
        metrics = new TailsMetrics(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement(ScopePane pane, Context ctx, Collector<TailWindow> out) throws Exception {
        isolation.run(TailScope.ofKey(ctx.getCurrentKey()).service(), () -> add(pane, ctx, out));
    }

    private void add(ScopePane pane, Context ctx, Collector<TailWindow> out) throws Exception {
        ScopeWindows windows = state.value();
        if (windows == null) {
            windows = new ScopeWindows();
        }
        windows.add(pane.startMillis(), pane.sums());
        state.update(windows);
        setTimer(windows, ctx.timerService());
    }

    private void setTimer(ScopeWindows windows, TimerService timers) {
        OptionalLong next = windows.nextEndMillis(spans);
        if (next.isPresent()) {
            timers.registerEventTimeTimer(next.getAsLong() - 1);
        }
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<TailWindow> out) throws Exception {
        if (!isolation.run(TailScope.ofKey(ctx.getCurrentKey()).service(), () -> close(timestamp, ctx, out))) {
            state.clear();
        }
    }

    private void close(long timestamp, OnTimerContext ctx, Collector<TailWindow> out) throws Exception {
        ScopeWindows windows = state.value();
        if (windows == null) {
            return;
        }
        TailScope scope = TailScope.ofKey(ctx.getCurrentKey());
        windows.close(spans, timestamp + 1, (kind, start, end, sums) -> {
            TailWindow window = settings.window(scope, kind, start, end, sums);
            metrics.ended(window);
            out.collect(window);
            if (kind == TailWindowKind.TUMBLING) {
                scope.whole()
                        .ifPresent(whole -> ctx.output(ServerTailsFunction.PANES, new ScopePane(whole, start, sums)));
            }
        });
        if (windows.isEmpty()) {
            state.clear();
        } else {
            state.update(windows);
            setTimer(windows, ctx.timerService());
        }
    }
}
